import { describe, expect, test } from "vitest";
import {
  FqlSyntaxError,
  lowerFilter,
  matches,
  parseFilter,
  parseSort,
  printFilter,
  type FilterRecord,
} from "../src/index.ts";
import { caseFields } from "./case-fields.ts";
import { readCases } from "./case-file.ts";

const now = new Date("2024-03-31T12:00:00.000Z");

const records: Readonly<Record<string, FilterRecord>> = {
  full: {
    a: "abc",
    name: "Node-01.example",
    type: "domain",
    state: "Open",
    tags: ["red", "blue"],
    scores: [1, 3],
    score: 5,
    severity: "high",
    expired: true,
    last_seen: "2024-03-30T23:59:59.500Z",
    address: "192.0.2.1",
    metadata: { filename: "A.exe" },
  },
  other: {
    a: "50",
    name: "node_02",
    type: "sha256",
    state: "Closed",
    tags: ["blue", "green"],
    scores: [2],
    score: 50,
    severity: "low",
    expired: false,
    last_seen: "2024-02-29T12:00:00Z",
    address: "2001:db8::1",
    metadata: { filename: "b" },
  },
  empty: {
    a: "",
    name: "",
    tags: [],
    scores: [],
    severity: "",
    address: "",
    last_seen: "",
    metadata: { filename: "" },
  },
  none: { a: null, tags: null, expired: null, metadata: null },
};

/** The result of `read`, or the lines that describe its error. */
function outcome(read: () => string): readonly string[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
    const lines = [`error at ${error.offset}: ${error.reason}`];
    if (error.suggestion !== undefined) lines.push(`suggestion: ${error.suggestion}`);
    if (error.hint !== undefined) lines.push(`hint: ${error.hint}`);
    return lines;
  }
}

function printed(text: string): string {
  const visible = printFilter(parseFilter(text)).replaceAll(
    /\p{Cc}/gu,
    (char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
  return visible === "" ? "<nothing>" : visible;
}

describe.each(["grammar", "examples"])("filters of %s.txt", (file) => {
  test.each(readCases(file))("$input", ({ input, expected }) => {
    expect(outcome(() => printed(input))).toEqual(expected);
  });
});

describe("filters of refused.txt", () => {
  test.each(readCases("refused"))("$input", ({ input, expected }) => {
    const lower = () => lowerFilter(parseFilter(input), caseFields, now).kind;
    expect(outcome(lower)).toEqual(expected);
  });
});

describe("filters of meaning.txt", () => {
  test.each(readCases("meaning"))("$input", ({ input, expected }) => {
    const filter = parseFilter(input);
    const matching = Object.entries(records)
      .filter(([, record]) => matches(filter, record, caseFields, now))
      .map(([name]) => name);
    expect([matching.join(" ") || "nothing"]).toEqual(expected);
  });
});

describe("sorts of sort.txt", () => {
  test.each(readCases("sort"))("$input", ({ input, expected }) => {
    const keys = () =>
      parseSort(input, caseFields)
        .map(({ field, direction }) => `${field} ${direction}`)
        .join(", ") || "no keys";
    expect(outcome(keys)).toEqual(expected);
  });
});
