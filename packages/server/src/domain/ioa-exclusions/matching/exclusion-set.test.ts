import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expressionNames } from "../exclusions.ts";
import { compile, Compiled } from "../expression/compiled.ts";
import { CompiledExpressions } from "./compiled-expressions.ts";
import { ExclusionSet, type Entry } from "./exclusion-set.ts";
import type { ProcessLines } from "./process-lines.ts";

const everyone = (): boolean => true;

const entry = (id: string, patternId: string, ...expressions: (string | null)[]): Entry => ({
  id,
  name: id,
  patternId,
  hostGroups: null,
  expressions: expressionNames.map((_, index) => expressions[index] ?? null),
});

const process = (...lines: readonly string[]): ProcessLines =>
  Object.fromEntries(
    expressionNames.map((name, index) => [name, lines[index] ?? ""]),
  ) as unknown as ProcessLines;

const text = fc.constantFrom(
  ".*",
  ".*tool\\.exe",
  ".*\\\\tools?\\\\.*",
  "[a-z]+",
  "to",
  ".*(snap|verify)shot.*",
  "\\d+",
  "(snap|verify)( now)?",
  "C:\\\\temp\\\\.*",
  ".*TEMP.*",
  "a|b",
  "",
  ".*x{3}y",
  ".*\\.exe --run \\d+",
);
const line = fc.constantFrom(
  "C:\\temp\\tool.exe",
  "c:\\tools\\TOOL.EXE",
  "snapshot",
  "tool.exe --run 12",
  "",
  "xxxy",
  "to",
  "temp",
  "verifyshot now",
  "verify now",
  "12345",
  "C:\\Temp\\",
);
const entries = fc.array(
  fc.tuple(fc.constantFrom("1", "2"), fc.array(fc.option(text), { minLength: 6, maxLength: 6 })),
  { maxLength: 30 },
);

test("finds the same exclusions as matching every expression against every line", async () => {
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.array(line, { minLength: 6, maxLength: 6 }),
      fc.constantFrom<string[]>(["1"], ["2"], ["1", "2"], ["3"]),
      async (drafts, lines, patterns) => {
        const all = drafts.map(([patternId, texts], index) =>
          entry(String(index), patternId, ...texts),
        );
        const set = new ExclusionSet(all);
        const lookedUp = new Set(patterns);
        const matches = await set.matching(
          process(...lines),
          lookedUp,
          everyone,
          new CompiledExpressions(),
        );
        const expected = all.filter(
          ({ patternId, expressions }) =>
            lookedUp.has(patternId) &&
            expressions.every((each, index) => {
              if (each === null) return true;
              const compiled = compile(each);
              return compiled instanceof Compiled && compiled.matches(lines[index] ?? "");
            }),
        );
        expect(new Set(matches.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
      },
    ),
    { numRuns: runs(400) },
  );
});

test("finds an exclusion by each of its alternative required texts", async () => {
  const set = new ExclusionSet([entry("either", "1", "(snapshot|verify|cleanup)( now)?")]);
  for (const commandLine of ["snapshot", "VERIFY now", "cleanup"]) {
    const matches = await set.matching(
      process(commandLine),
      new Set(["1"]),
      everyone,
      new CompiledExpressions(),
    );
    expect(matches).toHaveLength(1);
  }
});

test("compiles only expressions whose required texts occur", async () => {
  const all = Array.from({ length: 2_000 }, (_, index) =>
    entry(String(index), "1", `.*\\\\vendor\\\\app-${index}\\.exe`, `.*--id ${index}`),
  );
  const compiled: string[] = [];
  class Counted extends CompiledExpressions {
    override matches(expression: string, commandLine: string): boolean {
      compiled.push(expression);
      return super.matches(expression, commandLine);
    }
  }
  const set = new ExclusionSet(all);
  const lines = process("C:\\vendor\\app-1234.exe", "app --id 1234");
  const matches = await set.matching(lines, new Set(["1"]), everyone, new Counted());
  expect(matches.map(({ id }) => id)).toEqual(["1234"]);
  expect(compiled.length).toBeLessThan(20);
  expect(set.bytes).toBeGreaterThan(2_000 * 600);
});

test("stops when more match than a response can have", async () => {
  const all = Array.from({ length: 2_000 }, (_, index) => entry(String(index), "1", ".*"));
  let looked = 0;
  const counted = (): boolean => {
    looked += 1;
    return true;
  };
  const expressions = new CompiledExpressions();
  const matches = await new ExclusionSet(all).matching(
    process("any"),
    new Set(["1"]),
    counted,
    expressions,
    100,
  );
  expect([matches.length, looked]).toEqual([101, 101]);
});

test("drops compiled expressions beyond its limit and compiles them again", () => {
  const expressions = new CompiledExpressions(200_000);
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 200; number += 1) {
      expect(expressions.matches(`.*tool-${number}`, `tool-${number}`)).toBe(true);
      expect(expressions.matches(`.*tool-${number}`, `tool-x`)).toBe(false);
    }
    expect(expressions.bytes).toBeLessThanOrEqual(200_000);
    expect(expressions.bytes).toBeGreaterThan(50_000);
  }
});

test("keeps requirements of expressions when the exclusions change", async () => {
  const expressions = new CompiledExpressions();
  const kept = entry("kept", "1", "(snap|verify)shot");
  const first = new ExclusionSet([kept, entry("gone", "1", "(clean|sweep)up")]);
  expect(first.known).toBe(0);
  await first.matching(process("none"), new Set(["1"]), everyone, expressions);
  expect(first.known).toBe(2);
  const second = new ExclusionSet([kept, entry("new", "1", "verifyshot.*")], first);
  expect(second.known).toBe(1);
  const matched = await second.matching(
    process("verifyshot"),
    new Set(["1"]),
    everyone,
    expressions,
  );
  expect(matched.map(({ id }) => id)).toEqual(["kept", "new"]);
});
