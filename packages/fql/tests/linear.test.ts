/** @module-tag exhaustive */
import { describe, expect, test } from "vitest";
import { growth, linearGrowth } from "../../../testing/growth.ts";
import {
  and,
  checkFilter,
  FqlSyntaxError,
  lowerFilter,
  matches,
  parseFilter,
} from "../src/index.ts";
import { caseFields } from "./case-fields.ts";

/** Length of the shorter text; the longer text has the maximum length of a filter. */
const size = 1024;
const longest = 64 * 1024;
/** Below the maximum of 8,192 bytes per pattern. */
const longestPattern = 8_000;
const now = new Date("2024-03-31T12:00:00.000Z");

const repeated = (part: string, length: number): string =>
  part.repeat(Math.floor(length / part.length));

/** Repeats `part`, separated by `separator`, as often as `length` allows. */
const listed = (part: string, separator: string, length: number): string =>
  repeated(part + separator, length - part.length) + part;

const hostile: Readonly<Record<string, (length: number) => string>> = {
  "open parentheses": (length) => "(".repeat(length),
  "parentheses that close": (length) =>
    `${"(".repeat(length / 2 - 5)}a:'x'${")".repeat(length / 2 - 5)}`,
  "open brackets": (length) => `a:${"[".repeat(length - 2)}`,
  "repeated stars": (length) => `a:${"*".repeat(length - 2)}`,
  operators: (length) => `a:${repeated("!~*<>=", length - 2)}`,
  "single quotes": (length) => "'".repeat(length),
  "quotes after the colon": (length) => `a:${"'".repeat(length - 2)}`,
  backslashes: (length) => `a:'${"\\".repeat(length - 4)}'`,
  "escaped quotes": (length) => `a:'${"\\'".repeat(length / 2 - 2)}'`,
  "an open quote": (length) => `a:'${"x".repeat(length - 3)}`,
  "a long bareword": (length) => `a:${"x".repeat(length - 2)}`,
  "a long number": (length) => `score:${"9".repeat(length - 6)}`,
  "a long fraction": (length) => `score:0.${"9".repeat(length - 8)}`,
  "a long field name": (length) => `${"a".repeat(length - 2)}:1`,
  "a long dotted name": (length) => `${"a.".repeat(length / 2 - 2)}a:1`,
  blanks: (length) => " ".repeat(length),
  "a chain of +": (length) => repeated("a:'x'+", length),
  "a chain of ,": (length) => repeated("a:'x',", length),
  "many conditions": (length) => listed(`a:*'${"*x".repeat(25)}'`, "+", length),
  "a long list": (length) => `a:[${listed("1", ",", length - 4)}]`,
  "lists of 1,000": (length) =>
    listed(`a:[${"12,".repeat(Math.min(999, length / 8))}1]`, ",", length),
  "many unknown fields": (length) => listed("severity_nunber:'x'", "+", length),
  "many unknown values": (length) => `type:[${listed("domian", ",", Math.min(length, 7_000) - 7)}]`,
};

interface PatternAndRecord {
  readonly pattern: string;
  readonly record: Readonly<Record<string, string>>;
}

const patterns: Readonly<Record<string, (length: number) => PatternAndRecord>> = {
  "many stars": (length) => ({
    pattern: `a:*'${"*x".repeat(Math.min(length / 2, longestPattern) / 2)}y'`,
    record: { a: "x".repeat(length) },
  }),
  "stars between repeats": (length) => ({
    pattern: `a:*'*${"x".repeat(Math.min(length / 2, longestPattern))}y*'`,
    record: { a: "x".repeat(length) },
  }),
  "a needle that almost matches everywhere": (length) => ({
    pattern: `name:~'${"ab".repeat(length / 4)}b'`,
    record: { name: `${"ab".repeat(length / 2)}c` },
  }),
  "a folded glob": (length) => ({
    pattern: `name:~*'*${"AB*".repeat(Math.min(length / 2, longestPattern) / 3)}D'`,
    record: { name: `${"ab".repeat(length / 2)}c` },
  }),
};

function readOrRefuse(text: string): void {
  try {
    lowerFilter(parseFilter(text), caseFields, now);
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
  }
}

describe("the time to parse and match a filter is linear:", () => {
  test.each(Object.entries(hostile))("parsing or rejecting %s", async (_, text) => {
    expect(text(longest).length).toBeLessThanOrEqual(longest);
    expect(await growth(size, text, readOrRefuse)).toBeLessThan(linearGrowth);
  });

  test.each(Object.entries(patterns))("matching %s", async (_, at) => {
    const prepare = (length: number) => {
      const { pattern, record } = at(length);
      return { filter: parseFilter(pattern), record };
    };
    const grows = await growth(size, prepare, ({ filter, record }) =>
      matches(filter, record, caseFields, now),
    );
    expect(grows).toBeLessThan(linearGrowth);
  });

  test("finding an issue in every condition of a filter from the builder", async () => {
    const wrong = (count: number) =>
      and(Array.from({ length: count }, () => parseFilter("severity_nunber:'x'")));
    expect(checkFilter(wrong(1_000), caseFields)).toHaveLength(1_000);
    const grows = await growth(16, wrong, (filter) => checkFilter(filter, caseFields));
    expect(grows).toBeLessThan(linearGrowth);
  });
});
