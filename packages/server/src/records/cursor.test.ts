import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openCursor, sealCursor, type Cursor } from "./cursor.ts";
import { CursorError } from "../store/index.ts";

const cursor: Cursor = {
  question: "abc",
  now: 1_772_366_400_000,
  position: { snapshot: [7, 3], keys: ["x", null, 2.5, true], place: 1, row: 42 },
};

test("a cursor is opened as it was sealed, and contains only characters of URLs", () => {
  const text = sealCursor("secret", cursor);
  expect(openCursor("secret", text)).toEqual(cursor);
  expect(text).toMatch(/^[\w-]+$/);
});

test("a changed cursor, or another secret, is rejected", () => {
  const text = sealCursor("secret", cursor);
  expect(() => openCursor("other", text)).toThrow(CursorError);
  for (const wrong of ["", "x", text.slice(1), text.slice(0, -1), `${text}A`, text.slice(-43)]) {
    expect(() => openCursor("secret", wrong), wrong).toThrow(CursorError);
  }
  fc.assert(
    fc.property(fc.nat({ max: text.length - 1 }), fc.constantFrom(..."aZ09-_é"), (at, letter) => {
      fc.pre(text[at] !== letter);
      const changed = text.slice(0, at) + letter + text.slice(at + 1);
      expect(() => openCursor("secret", changed)).toThrow(CursorError);
    }),
    { numRuns: runs() },
  );
});
