import { expect, test } from "vitest";
import { sql, type Sql } from "./sql.ts";

const statementOf = ({ text, values }: Sql) => ({ text, values });

test("values become parameters in the order of the text, also those of pieces inside", () => {
  const inside = sql`b = ${"x"} and c = ${null}`;
  expect(statementOf(sql`a = ${1} and (${inside}) or d = ${[true]}`)).toEqual({
    text: "a = ? and (b = ? and c = ?) or d = ?",
    values: [1, "x", null, [true]],
  });
  expect(inside.text).toBe("b = ? and c = ?");
  expect(sql`${inside}${2}${sql`e`}${3}`.text).toBe("b = ? and c = ??e?");
});

test("a list of pieces and values is joined", () => {
  expect(statementOf(sql.join([sql`a`, 2, sql`c = ${3}`]))).toEqual({
    text: "a, ?, c = ?",
    values: [2, 3],
  });
  expect(sql.join([sql`a`], " and ").text).toBe("a");
  expect(sql.join([]).text).toBe("");
});

test("names and literals are quoted", () => {
  const text = sql`${sql.id("t", 'a"b')} = ${sql.literal("it's")} or ${sql.literal(7)}`;
  expect(statementOf(text)).toEqual({ text: `"t"."a""b" = 'it''s' or 7`, values: [] });
});
