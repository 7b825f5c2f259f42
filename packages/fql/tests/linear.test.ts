import { describe, expect, it } from "vitest";
import {
  and,
  checkFilter,
  FqlSyntaxError,
  lowerFilter,
  matches,
  parseFilter,
} from "../src/index.ts";
import { caseFields } from "./case-fields.ts";

const size = 64 * 1024;
const limit = 20;
const now = new Date("2024-03-31T12:00:00.000Z");

const hostile: Readonly<Record<string, string>> = {
  "open parentheses": "(".repeat(size),
  "parentheses that close": `${"(".repeat(size / 2 - 5)}a:'x'${")".repeat(size / 2 - 5)}`,
  "open brackets": `a:${"[".repeat(size - 2)}`,
  "alternating stars": `a:${"*".repeat(size - 2)}`,
  operators: `a:${"!~*<>=".repeat((size - 2) / 6)}`,
  "single quotes": "'".repeat(size),
  "quotes after the colon": `a:${"'".repeat(size - 2)}`,
  backslashes: `a:'${"\\".repeat(size - 4)}'`,
  "escaped quotes": `a:'${"\\'".repeat(size / 2 - 2)}'`,
  "an open quote": `a:'${"x".repeat(size - 3)}`,
  "a long bareword": `a:${"x".repeat(size - 2)}`,
  "a long number": `score:${"9".repeat(size - 6)}`,
  "a long fraction": `score:0.${"9".repeat(size - 8)}`,
  "a long field name": `${"a".repeat(size - 2)}:1`,
  "a long dotted name": `${"a.".repeat(size / 2 - 2)}a:1`,
  blanks: " ".repeat(size),
  "a chain of +": "a:'x'+".repeat(size / 6),
  "a chain of ,": "a:'x',".repeat(size / 6),
  "1,000 conditions": Array.from({ length: 1_000 }, () => `a:*'${"*x".repeat(25)}'`).join("+"),
  "a long list": `a:[${"1,".repeat(size / 2 - 3)}1]`,
  "lists of 1,000": Array.from({ length: 16 }, () => `a:[${"12,".repeat(999)}1]`).join(","),
  "1,000 unknown fields": Array.from({ length: 1_000 }, () => "severity_nunber:'x'").join("+"),
  "1,000 unknown values": `type:[${"domian,".repeat(999)}x]`,
};

const record = {
  a: "x".repeat(size),
  name: `${"ab".repeat(size / 2)}c`,
};

const patterns: Readonly<Record<string, string>> = {
  "many stars": `a:*'${"*x".repeat(16_000)}y'`,
  "stars between repeats": `a:*'*${"x".repeat(32_000)}y*'`,
  "a needle that almost matches everywhere": `name:~'${"ab".repeat(15_000)}b'`,
  "a folded glob": `name:~*'*${"AB*".repeat(10_000)}D'`,
};

/** Milliseconds: the minimum of several runs, because load can only add time. */
function fastest(run: () => void): number {
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

function readOrRefuse(text: string): void {
  try {
    lowerFilter(parseFilter(text), caseFields, now);
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
  }
}

describe("checkFilter", () => {
  it("reports 1,000 issues in a filter built in code after one print and parse", () => {
    const wrong = Array.from({ length: 1_000 }, () => parseFilter("severity_nunber:'x'"));
    expect(checkFilter(and(wrong), caseFields)).toHaveLength(1_000);
    expect(fastest(() => checkFilter(and(wrong), caseFields))).toBeLessThan(limit * 10);
  });
});

describe(`64 KiB of filter, in under ${limit} ms`, () => {
  it.each(Object.entries(hostile))("parses or rejects %s", (_, text) => {
    expect(text.length).toBeLessThanOrEqual(size);
    expect(fastest(() => readOrRefuse(text))).toBeLessThan(limit);
  });

  it.each(Object.entries(patterns))("matches a record of 64 KiB with %s", (_, text) => {
    const filter = parseFilter(text);
    expect(fastest(() => matches(filter, record, caseFields, now))).toBeLessThan(limit);
  });
});
