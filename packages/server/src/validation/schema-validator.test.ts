import * as fc from "fast-check";
import { expect, test } from "vitest";
import { schemaValidator } from "./schema-validator.ts";

test("the length of a text counts characters, not units of UTF-16", () => {
  const validate = schemaValidator({ type: "string", minLength: 2, maxLength: 4 }, "body");
  const character = fc.constantFrom("a", "é", "😀");
  fc.assert(
    fc.property(fc.array(character, { maxLength: 10 }), (characters) => {
      const isAllowed = characters.length >= 2 && characters.length <= 4;
      expect(validate(characters.join(""))).toHaveLength(isAllowed ? 0 : 1);
    }),
  );
  expect(validate("😀")).toEqual([
    { at: "body", message: 'expected a text of 2 to 4 characters, got "😀"' },
  ]);
});
