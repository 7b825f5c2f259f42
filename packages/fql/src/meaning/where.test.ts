import { expect, test } from "vitest";
import { evaluate } from "./evaluate.ts";
import type { Fields } from "./fields.ts";
import type { Predicate } from "./predicate.ts";
import { where } from "./where.ts";

const fields: Fields = {
  name: { type: "string", case: "insensitive" },
  size: { type: "number", nullable: true },
  tags: { type: "string", array: true },
  note: { type: "string" },
};
const record = { name: "Straße", size: 3, tags: ["a", "b"], note: "One two, TWO three!" };
const { equal, all, any } = where;

test.each<[string, Predicate, boolean]>([
  ["everything", where.everything, true],
  ["nothing", where.nothing, false],
  ["equal", equal("size", 3), true],
  ["equal in its own case", equal("name", "STRASSE"), false],
  ["equal in any case", where.equalFolded("name", "STRAßE"), true],
  ["equal to an element", equal("tags", "b"), true],
  ["any of", where.anyOf("tags", ["x", "a"]), true],
  ["any of no values", where.anyOf("tags", []), false],
  ["compare", where.compare("size", ">=", 4), false],
  ["present", where.present("size"), true],
  ["absent", where.absent("size"), false],
  ["not", where.not(where.absent("size")), true],
  ["all", all(equal("size", 3), equal("tags", "a")), true],
  ["all, one of them false", all(equal("size", 3), equal("tags", "x")), false],
  ["all of none", all(), true],
  ["any", any(equal("size", 4), equal("tags", "a")), true],
  ["any of none", any(), false],
  ["words in any order", where.words("note", ["three", "one"], []), true],
  ["words, one of them absent", where.words("note", ["one", "four"], []), false],
  ["the start of a word", where.words("note", ["thre"], []), false],
  [
    "phrases",
    where.words(
      "note",
      [],
      [
        ["two", "three"],
        ["one", "two", "two"],
      ],
    ),
    true,
  ],
  [
    "phrases, one of them absent",
    where.words(
      "note",
      [],
      [
        ["one", "two"],
        ["one", "three"],
      ],
    ),
    false,
  ],
  ["a phrase of parts of words", where.words("note", [], [["wo", "thre"]]), false],
  ["words and a phrase that is absent", where.words("note", ["one"], [["three", "two"]]), false],
  ["no words", where.words("note", [], [[]]), false],
])("%s", (_name, predicate, expected) => {
  expect(evaluate(predicate, record, fields)).toBe(expected);
});

test("anyOf with one value is an equality, which needs one index look-up", () => {
  expect(where.anyOf("tags", ["a"])).toEqual(where.equal("tags", "a"));
});

test("operands that cannot change the result are left out", () => {
  const one = equal("size", 3);
  expect(all(where.everything, one)).toBe(one);
  expect(any(one, where.nothing)).toBe(one);
  expect(all(one, where.nothing)).toBe(where.nothing);
  expect(any(one, where.everything)).toBe(where.everything);
});
