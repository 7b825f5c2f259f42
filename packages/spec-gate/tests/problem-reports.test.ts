import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formats } from "../src/command-line.ts";
import { api, none, one, project } from "./settings-project.ts";

describe("a wrong command line is also answered by a report", () => {
  test.each([
    ["--nope", "there is no option --nope"],
    ["--today tomorrow", "--today: expected a date such as 2030-12-31, got tomorrow"],
    ["--time-limit soon", "--time-limit: expected seconds above 0"],
    ["--expiry 2030-01-01", "--expiry: expected --approve beside it"],
    ["--also nonsense", "--also: expected FORMAT=FILE, got nonsense"],
    ["--config", "--config: expected a value after it"],
    ["c.json", "expected pairs of documents"],
  ])("%s", async (words, reason) => {
    const { run, path } = project({ "a.json": one, "b.json": one });
    for (const format of formats) {
      const { code, stdout, stderr } = await run([
        "a.json",
        "b.json",
        "--format",
        format,
        ...words.split(" "),
      ]);
      expect([code, stderr], format).toEqual([2, expect.stringContaining(reason)]);
      if (format === "text") expect(stdout).toBe("");
      else expect(stdout, format).toMatch(/cannot[- ]judge/i);
      if (format === "json") {
        expect(JSON.parse(stdout)).toMatchObject({
          outcome: "cannot-judge",
          exitCode: 2,
          problem: expect.stringContaining(reason),
          base: { name: path("a.json") },
        });
      }
      if (format === "sarif") expect(JSON.parse(stdout).runs).toHaveLength(1);
      if (format === "junit") expect(stdout).toMatch(/^<\?xml[^]*<\/testsuites>\s*$/);
    }
  });

  test("in the file of --output, but never in a file that is read", async () => {
    const { run, path } = project({ "a.json": one, "b.json": one });
    const words = ["a.json", "b.json", "--nope", "--format", "json", "--output"];
    expect((await run([...words, path("report.json")])).stdout).toBe("");
    expect(JSON.parse(readFileSync(path("report.json"), "utf8")).outcome).toBe("cannot-judge");
    expect(JSON.parse((await run([...words, "b.json"])).stdout).outcome).toBe("cannot-judge");
    expect(JSON.parse(readFileSync(path("b.json"), "utf8"))).toEqual(one);
  });

  test("except that of other commands", async () => {
    const { run } = project({});
    expect(await run(["rules", "--format", "jsn"])).toMatchObject({ code: 2, stdout: "" });
  });
});

test.each([
  ["a: [1", "1:6"],
  ["a: [1\n", "2:1"],
  ["a: [1,\n2", "2:2"],
  ["a:\n  b: {c: 1\nd: 2\n", "3:2"],
  ["openapi: 3.1.0\npaths: {\n/a: [", "3:6"],
])("a syntax error of %j has its own column", async (text, place) => {
  const { run, path } = project({ "a.json": none, "b.yaml": text });
  const { code, stderr } = await run(["a.json", "b.yaml"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${path("b.yaml")}:${place} is neither JSON nor YAML`),
  ]);
});

describe("an approval", () => {
  const entry = {
    rule: "operation-removed",
    place: "GET /things",
    reason: "Unused",
    expiry: "2030-01-01",
  };

  test.each(Object.keys(entry))("without its %s", async (member) => {
    const { [member as "rule"]: _, ...rest } = entry;
    for (const [content, got] of [
      [rest, "but it is absent"],
      [{ ...entry, [member]: null }, "got null"],
      [{ ...entry, [member]: 1 }, "got 1"],
    ] as const) {
      const { run } = project({ "a.json": one, "ok.json": JSON.stringify([content]) });
      const { code, stderr } = await run(["a.json", "a.json", "--approvals", "ok.json"]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`approval 1: expected the text ${member}, ${got}`),
      ]);
    }
  });

  test.each(["foo-bar", "operation-remved"])("of the unknown rule %s", async (rule) => {
    const { run } = project({ "a.json": one, "ok.json": JSON.stringify([{ ...entry, rule }]) });
    const { stderr } = await run(["a.json", "a.json", "--approvals", "ok.json"]);
    expect(stderr).toMatch(new RegExp(`there is no rule ${rule}.*; spec-gate rules lists all`));
  });

  test("that is written twice is a note", async () => {
    const again = { ...entry, reason: "Other", expiry: "2031-01-01" };
    const files = {
      "a.json": one,
      "b.json": none,
      "ok.json": JSON.stringify([entry, again], null, 1),
    };
    const { report } = project(files);
    const { notes, outcome } = await report("a.json", "b.json", "--approvals", "ok.json");
    expect(outcome).toBe("approved");
    expect(notes).toEqual([
      expect.stringMatching(
        /ok\.json:8:2: the approval of operation-removed at GET \/things is there already, at .*ok\.json:2:2; remove one/,
      ),
    ]);
  });
});

describe("what leads nowhere or is no pattern is a note, also if nothing changed", () => {
  const withSchemas = (schemas: Readonly<Record<string, unknown>>) => ({
    ...api(one["paths"] as never),
    components: { schemas },
  });
  test.each<[Readonly<Record<string, unknown>>, string]>([
    [{ $ref: "#/components/schemas/No" }, "$ref #/components/schemas/No leads nowhere"],
    [{ properties: { a: { items: { $ref: "#/$defs/b" } } } }, "$ref #/$defs/b leads nowhere"],
    [{ $ref: "#/openapi" }, "$ref #/openapi does not lead to an object"],
    [{ $dynamicRef: "#no" }, "$dynamicRef #no leads nowhere"],
    [
      { pattern: "(" },
      'pattern: expected a regular expression of ECMAScript, got "("; validators refuse it',
    ],
    [
      { patternProperties: { "[": {} } },
      'patternProperties: expected a regular expression of ECMAScript, got "["; validators refuse it',
    ],
  ])("%j", async (schema, words) => {
    const base = withSchemas({ A: schema });
    const files = { "a.json": base, "b.json": { ...base, tags: [{ name: "other" }] } } as never;
    const { report } = project(files);
    for (const revision of ["a.json", "b.json"]) {
      const { verdict, notes } = await report("a.json", revision);
      expect([verdict, notes]).toEqual(["none", [expect.stringContaining(words)]]);
    }
  });

  test.each(["^\\-a$", "\\p{L}+", "[\\w--\\d]", "^a{2,}$", "(?<year>\\d{4})"])(
    "but the pattern %s is one",
    async (pattern) => {
      const { report } = project({ "a.json": withSchemas({ A: { pattern } }) } as never);
      expect((await report("a.json", "a.json")).notes).toEqual([]);
    },
  );
});

describe("a reference that leads to a boolean, where only schemas may be one, cannot be judged", () => {
  const $ref = "#/x-target";
  const response = (more: object) => ({ responses: { 200: { description: "", ...more } } });
  test.each<[string, object]>([
    ["header", response({ headers: { "X-A": { $ref } } })],
    ["response", { responses: { 200: { $ref } } }],
    ["link", response({ links: { next: { $ref } } })],
    ["parameter", { parameters: [{ $ref }], ...response({}) }],
    ["request body", { requestBody: { $ref }, ...response({}) }],
    ["callback", { callbacks: { done: { $ref } }, ...response({}) }],
  ])("%s", async (_kind, get) => {
    const document = (target: unknown) => ({
      ...api({ "/a": { get } } as never),
      "x-target": target,
    });
    const { report } = project({ "a.json": document({}), "b.json": document(false) } as never);
    for (const [base, revision] of [
      ["a.json", "b.json"],
      ["b.json", "a.json"],
    ] as const) {
      const { verdict, problem } = await report(base, revision);
      expect([verdict, problem]).toEqual([
        null,
        expect.stringContaining("$ref #/x-target leads to false, not to an object"),
      ]);
    }
  });
});
