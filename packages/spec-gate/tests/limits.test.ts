/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { runCommand } from "../src/command.ts";
import { compareDocuments, type Result } from "../src/compare/compare-documents.ts";
import { Effort } from "../src/effort.ts";
import type { Json, JsonObject } from "../src/json.ts";
import { documentOf } from "../src/read/load-document.ts";
import {
  operationWith,
  requestOf,
  responseOf,
  testDay,
  verdictsOf,
} from "../src/testing/documents.ts";

const folder = mkdtempSync(join(tmpdir(), "spec-gate-limits-"));

/** A comparison with a fixed clock, and the number of its steps. */
function counted(base: JsonObject, revision: JsonObject): Result & { readonly steps: number } {
  const effort = new Effort(1, () => 0);
  const options = { today: testDay, effort };
  const [before, after] = [documentOf(base, "base.json"), documentOf(revision, "revision.json")];
  return { ...compareDocuments(before, after, options), steps: effort.steps };
}

const unknown = (direction: "request" | "response") => `could-not-be-judged ${direction} major`;

describe("a pattern that takes exponential time in JavaScript", () => {
  const pattern = { type: "string", pattern: "^(a+)+$" };

  test("is judged for a value that matches almost", () => {
    const values = { enum: [`${"a".repeat(34)}!`] };
    expect(verdictsOf(counted(requestOf(values), requestOf(pattern)))).toEqual([
      "values-changed request major",
    ]);
    expect(verdictsOf(counted(responseOf(pattern), responseOf(values)))).toEqual([
      "values-changed response major",
    ]);
  });

  test("is judged for a value that matches, a name and an example", () => {
    const values = { enum: ["a".repeat(34)] };
    expect(verdictsOf(counted(requestOf(values), requestOf(pattern)))).toEqual([
      "enumeration-removed request minor",
    ]);
    const named = { type: "object", patternProperties: { "^(a+)+$": { type: "string" } } };
    const member = { ...named, properties: { [`${"a".repeat(34)}!`]: { type: "string" } } };
    expect(counted(requestOf(named), requestOf(member)).verdict).toBe("minor");
  });

  test("has the characters that JavaScript writes with \\u", () => {
    const latin = { type: "string", pattern: String.raw`^[\u0061-\u007a]+$` };
    expect(verdictsOf(counted(requestOf({ enum: ["abc"] }), requestOf(latin)))).toEqual([
      "enumeration-removed request minor",
    ]);
  });
});

describe("a pattern that cannot be evaluated", () => {
  const ahead = { type: "string", pattern: "^(?=.*a)" };
  const values = { type: "string", enum: ["a", "b"] };

  test.each<[string, JsonObject, JsonObject]>([
    ["beside values", values, ahead],
    ["added to values", values, { ...values, pattern: "^(?=.*a)" }],
    ["that refers back", values, { type: "string", pattern: String.raw`^(.)\1` }],
    ["of a large program", values, { type: "string", pattern: "a?".repeat(900) + "(b{0,900}c)*" }],
    ["that is long", values, { type: "string", pattern: "a".repeat(3_000) }],
    [
      "of names",
      { type: "object", patternProperties: { "^(?=a)": { type: "string" } } },
      {
        type: "object",
        patternProperties: { "^(?=a)": { type: "string" } },
        properties: { abc: { type: "integer" } },
      },
    ],
  ])("%s is reported in both directions", (_, one, other) => {
    for (const [before, after] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(verdictsOf(counted(requestOf(before), requestOf(after)))).toContain(
        unknown("request"),
      );
      expect(verdictsOf(counted(responseOf(before), responseOf(after)))).toContain(
        unknown("response"),
      );
    }
  });

  test("is no change where both documents have it", () => {
    const listed = { ...ahead, enum: ["a", "b"] };
    expect(verdictsOf(counted(requestOf(listed), requestOf(listed)))).toEqual([]);
    expect(verdictsOf(counted(requestOf(ahead), requestOf(listed)))).toEqual([
      "enumeration-added request major",
    ]);
  });
});

describe("a schema of too many combinations", () => {
  const object = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } });
  const product = (first: string) => ({
    allOf: Array.from({ length: 10 }, (_, part) => ({
      anyOf: Array.from({ length: 4 }, (__, branch) =>
        object(part + branch === 0 ? first : `p${part}-${branch}`),
      ),
    })),
  });
  /** Each component consists of the next one, twice. */
  const chain = (keyword: string, leaf: Json) => ({
    components: {
      schemas: {
        ...Object.fromEntries(
          Array.from({ length: 40 }, (_, level) => {
            const next = { $ref: `#/components/schemas/S${level + 1}` };
            return [`S${level}`, { [keyword]: [next, next] }];
          }),
        ),
        S40: leaf as JsonObject,
      },
    },
  });
  const top = { $ref: "#/components/schemas/S0" };

  test.each<[string, JsonObject, JsonObject]>([
    ["allOf of ten anyOf of four", requestOf(product("a")), requestOf(product("b"))],
    ...["allOf", "anyOf", "oneOf"].map((keyword): [string, JsonObject, JsonObject] => [
      `${keyword} of references, doubled 40 times`,
      requestOf(top, chain(keyword, object("a"))),
      requestOf(top, chain(keyword, object("b"))),
    ]),
  ])("is reported if it differs: %s", (_, base, revision) => {
    const changed = counted(base, revision);
    expect(verdictsOf(changed)).toEqual([unknown("request")]);
    const same = counted(base, JSON.parse(JSON.stringify(base)) as JsonObject);
    expect(verdictsOf(same)).toEqual([]);
    expect(Math.max(changed.steps, same.steps)).toBeLessThan(500_000);
  });

  test("does not hide a change beside it", () => {
    const beside = (schema: Json) => ({
      type: "object",
      properties: { large: product("a"), small: schema },
    });
    const pair = [beside({ type: "string" }), beside({ type: "integer" })] as const;
    expect(verdictsOf(counted(requestOf(pair[0]), requestOf(pair[1])))).toEqual([
      "type-changed request major",
    ]);
  });
});

const api = JSON.stringify(requestOf({ type: "string" }));
const good = join(folder, "good.json");
writeFileSync(good, api);

async function run(words: readonly string[], now = () => testDay, workFolder = folder) {
  let stdout = "";
  let stderr = "";
  const code = await runCommand(words, {
    stdout: { write: (part) => (stdout += part) },
    stderr: { write: (part) => (stderr += part) },
    folder: workFolder,
    fetch,
    now,
  });
  return { code, stdout, stderr };
}

describe("an enumeration of 50,000 values takes steps in proportion to its length", () => {
  const texts = (count: number): Json[] => Array.from({ length: count }, (_, at) => `v${at}`);
  const numbers = (count: number): Json[] => Array.from({ length: count }, (_, at) => at);
  const parameter = (schema: JsonObject): JsonObject =>
    operationWith({ parameters: [{ name: "q", in: "query", schema }] });
  const answered = (schema: JsonObject): JsonObject => responseOf(schema);
  test.each<readonly [string, (count: number) => readonly [JsonObject, JsonObject], string]>([
    [
      "a value less",
      (count) => [answered({ enum: texts(count) }), answered({ enum: texts(count - 1) })],
      "enum-value-removed",
    ],
    [
      "numbers as texts in a query",
      (count) => [
        parameter({ enum: numbers(count) }),
        parameter({ enum: [...numbers(count - 1).map(String), "x"] }),
      ],
      "enum-value-removed",
    ],
    [
      "a range that becomes a list",
      (count) => [
        answered({ type: "integer", minimum: 0, maximum: count - 1 }),
        answered({ enum: numbers(count - 1) }),
      ],
      "enumeration-added",
    ],
    [
      "x-extensible-enum",
      (count) => [
        answered({ type: "string", "x-extensible-enum": texts(count) }),
        answered({ type: "string", "x-extensible-enum": texts(count - 1) }),
      ],
      "extensible-enum-value-removed",
    ],
    [
      "constants",
      (count) => [
        answered({ anyOf: texts(count / 100).map((value) => ({ const: value })) }),
        answered({ anyOf: texts(count / 100 - 1).map((value) => ({ const: value })) }),
      ],
      "enum-value-removed",
    ],
  ])("%s", (_, pairOf, rule) => {
    const few = counted(...pairOf(5_000));
    const many = counted(...pairOf(50_000));
    expect(many.changes.map((change) => change.rule)).toContain(rule);
    expect(many.steps).toBeLessThan(few.steps * 12 + 1_000);
  });
});

test(
  "schemas that lead to each other over many steps are compared",
  { tags: ["nightly"] },
  async () => {
    const written = (type: string): string => {
      const next = (level: number): JsonObject => ({ $ref: `#/components/schemas/S${level}` });
      const chain = Array.from({ length: 50_000 }, (_, level): [string, JsonObject] => [
        `S${level}`,
        { type: "object", properties: { next: next(level + 1) } },
      ]);
      const schemas = { ...Object.fromEntries(chain), S50000: { type } };
      const path = join(folder, `deep-${type}.json`);
      writeFileSync(path, JSON.stringify(requestOf(next(0), { components: { schemas } })));
      return path;
    };
    const { code, stdout } = await run([written("string"), written("integer")]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("from string to integer")]);
    expect((await run([written("string"), written("string")])).code).toBe(0);
  },
);

test("alternatives that refer to each other too deeply are a finding, beside the others", () => {
  const names = Array.from({ length: 120 }, (_, index) => `N${index}`);
  const nodes = (type: string) => ({
    components: {
      schemas: {
        ...Object.fromEntries(
          names.map((name) => [
            name,
            {
              type: "object",
              required: ["kind"],
              properties: {
                kind: { const: name },
                child: { oneOf: names.map((each) => ({ $ref: `#/components/schemas/${each}` })) },
                ...(name === "N7" ? { size: { type } } : {}),
              },
            },
          ]),
        ),
        Beside: { type },
      },
    },
  });
  const both = {
    type: "object",
    properties: {
      node: { oneOf: [{ $ref: "#/components/schemas/N0" }, { $ref: "#/components/schemas/N1" }] },
      beside: { $ref: "#/components/schemas/Beside" },
    },
  };
  const [base, revision] = [nodes("string"), nodes("integer")].map((more) => requestOf(both, more));
  const changed = counted(base ?? {}, revision ?? {});
  expect(verdictsOf(changed)).toContain("type-changed request major");
  expect(changed.changes.map(({ pointer }) => pointer)).toContain("#/components/schemas/Beside");
  expect(verdictsOf(counted(base ?? {}, { ...base, tags: [] }))).toEqual([]);
});

describe("the time limit", () => {
  test("ends a comparison, which then has no verdict", async () => {
    const written = (type: string): string => {
      const names = Array.from({ length: 2_000 }, (_, index) => [
        `p${index}`,
        { type, title: index },
      ]);
      const properties = Object.fromEntries(names) as JsonObject;
      const path = join(folder, `${type}.json`);
      writeFileSync(path, JSON.stringify(requestOf({ type: "object", properties })));
      return path;
    };
    const pair = [written("string"), written("number")];
    let seconds = 0;
    const now = () => new Date(testDay.getTime() + 1000 * seconds++);
    expect(await run([...pair, "--time-limit", "3"], now)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("could not be judged within 3 seconds") as string,
    });
    seconds = 0;
    expect((await run([...pair, "--time-limit", "3000"], now)).code).toBe(1);
  });

  test("ends the process, whatever it is doing, and removes its files", () => {
    const program = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
    const own = mkdtempSync(join(tmpdir(), "spec-gate-ended-"));
    const words = ["--conditions=@security-platform/source", program, good, good];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...words, "--time-limit", "0.001"],
      { encoding: "utf8", env: { ...process.env, TMPDIR: own } },
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      "spec-gate: the change could not be judged within 0.001 seconds; simplify the document, or raise the limit with --time-limit\n",
    );
    expect(readdirSync(own)).toEqual([]);
  });

  test.each([
    ["--time-limit", "0"],
    ["--time-limit", "1e9"],
    ["--time-limit", "100000"],
    ["--max-size", "large"],
  ])("must be a sensible number: %s %s", async (option, value) => {
    expect(await run([good, good, option, value])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/expected \w+ above 0 and up to \d+, got/) as string,
    });
  });
});

describe("a file that is none or too large", () => {
  const referring = (reference: string) => {
    const path = join(folder, `to-${reference.replaceAll("/", "-")}.json`);
    writeFileSync(path, JSON.stringify(requestOf({ $ref: reference })));
    return path;
  };

  async function expectRefused(path: string, reason: string): Promise<void> {
    const words = [
      [good, path],
      [path, good],
      [good, referring(path)],
      [good, good, "--approvals", path],
    ];
    for (const each of words) {
      const { code, stderr } = await run([...each, "--refs-within", "/"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
  }

  testWith("/proc")("is refused: a device", () =>
    expectRefused("/dev/zero", "is not a regular file"),
  );

  testWith("POSIX shell")("is refused: a pipe", () => {
    const path = join(folder, "pipe.yaml");
    execFileSync("mkfifo", [path]);
    return expectRefused(path, "is not a regular file");
  });

  test("is refused: 120 MB", () => {
    const path = join(folder, "large.yaml");
    const descriptor = openSync(path, "w");
    ftruncateSync(descriptor, 120 * 1024 * 1024);
    closeSync(descriptor);
    return expectRefused(path, "is larger than 32 MB");
  });

  test("is refused: a file of a git revision, and all files together", async () => {
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: own });
    const own = mkdtempSync(join(tmpdir(), "spec-gate-limits-"));
    const text = JSON.stringify({ a: { type: "string", description: "x".repeat(600) } });
    for (const name of ["a.json", "b.json"]) writeFileSync(join(own, name), text);
    const properties = { a: { $ref: "a.json#/a" }, b: { $ref: "b.json#/a" } };
    const both = JSON.stringify(requestOf({ type: "object", properties }));
    writeFileSync(join(own, "openapi.json"), both);
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "First");
    const now = () => testDay;
    for (const path of ["git:HEAD:openapi.json", join(own, "openapi.json")]) {
      expect((await run([path, path], now, own)).code).toBe(0);
      const { code, stderr } = await run([path, path, "--max-size", "0.0015"], now, own);
      expect([code, stderr]).toEqual([2, expect.stringContaining("is larger than 0.0015 MB")]);
      const tiny = await run([path, path, "--max-size", "0.0001"], now, own);
      expect(tiny.stderr).toContain("is larger than 0.0001 MB");
    }
  });
});
