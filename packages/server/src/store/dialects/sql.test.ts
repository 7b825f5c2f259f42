import { expect, test } from "vitest";
import { sql, statementOf } from "./sql.ts";

const numbered = (number: number) => `$${number}`;

test("values become parameters in the order of the text, also those of pieces inside", () => {
  const inside = sql`b = ${"x"} and c = ${null}`;
  expect(statementOf(sql`a = ${1} and (${inside}) or d = ${[true]}`, numbered)).toEqual({
    text: "a = $1 and (b = $2 and c = $3) or d = $4",
    parameters: [1, "x", null, [true]],
  });
  expect(statementOf(inside, () => "?").text).toBe("b = ? and c = ?");
});

test("a list of pieces and values is joined", () => {
  expect(statementOf(sql.join([sql`a`, 2, sql`c = ${3}`]), numbered)).toEqual({
    text: "a, $1, c = $2",
    parameters: [2, 3],
  });
  expect(statementOf(sql.join([sql`a`], " and "), numbered).text).toBe("a");
  expect(statementOf(sql.join([]), numbered).text).toBe("");
});

test("names and literals are quoted", () => {
  const text = sql`${sql.id("t", 'a"b')} = ${sql.literal("it's")} or ${sql.literal(7)}`;
  expect(statementOf(text, numbered)).toEqual({
    text: `"t"."a""b" = 'it''s' or 7`,
    parameters: [],
  });
});
