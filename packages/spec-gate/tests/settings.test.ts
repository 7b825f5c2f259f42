import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { formats } from "../src/command-line.ts";
import type { JsonObject } from "../src/json.ts";
import type { Report } from "../src/report/model.ts";
import { api, done, none, one, project, renamed } from "./settings-project.ts";

const rulesOf = ({ changes }: Report) => changes.map(({ rule, verdict }) => `${rule} ${verdict}`);

describe("a configuration beside the revision", () => {
  test("gives severities by rule and by category, and that of the rule counts more", async () => {
    const files = { "a.json": one, "b.json": renamed };
    expect(rulesOf(await project(files).report("a.json", "b.json"))).toEqual([
      "operation-id-changed patch",
    ]);
    const byCategory = {
      ...files,
      "spec-gate.yaml": "severities: { categories: { source: major } }",
    };
    const { run, report } = project(byCategory);
    expect(await report("a.json", "b.json")).toMatchObject({
      outcome: "failed",
      changes: [
        {
          rule: "operation-id-changed",
          verdict: "major",
          who: "Programs with a generated client call a method that has another name now.",
          affects: ["clients that send it"],
        },
      ],
    });
    expect((await run(["a.json", "b.json"])).code).toBe(1);
    const byRule = {
      ...files,
      "spec-gate.yaml":
        "severities: { rules: { operation-id-changed: minor }, categories: { source: major } }",
    };
    expect(rulesOf(await project(byRule).report("a.json", "b.json"))).toEqual([
      "operation-id-changed minor",
    ]);
  });

  test.each(["spec-gate.yaml", "spec-gate.yml", "spec-gate.json"])("may be %s", async (name) => {
    const settings = JSON.stringify({ severities: { categories: { source: "major" } } });
    const { report } = project({ "a.json": one, "b.json": renamed, [name]: settings });
    expect(rulesOf(await report("a.json", "b.json"))).toEqual(["operation-id-changed major"]);
  });

  test("gives a rule or a category one severity for each direction", async () => {
    const thing = (names: readonly string[]) => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    });
    const both = (names: readonly string[]) => {
      const content = { "application/json": { schema: thing(names) } };
      const responses = { 200: { description: "Done.", content } };
      return api({ "/things": { post: { requestBody: { content }, responses } } });
    };
    const files = { "a.json": both(["a"]), "b.json": both(["a", "b"]) };
    const judged = async (settings: string) => {
      const { report } = project({ ...files, "spec-gate.yaml": settings });
      const { changes } = await report("a.json", "b.json");
      return changes.map(({ direction, verdict }) => `${direction} ${verdict}`).toSorted();
    };
    expect(await judged("{}")).toEqual(["request minor", "response minor"]);
    expect(
      await judged("severities: { rules: { property-added: { request: none, response: major } } }"),
    ).toEqual(["request none", "response major"]);
    expect(await judged("severities: { rules: { property-added: { request: patch } } }")).toEqual([
      "request patch",
      "response minor",
    ]);
    expect(
      await judged(
        "severities: { rules: { property-added: { request: patch } }, categories: { input: major, output: major } }",
      ),
    ).toEqual(["request patch", "response major"]);
  });

  test("leaves out paths, marked operations and extensions", async () => {
    const before = api({
      "/internal/jobs": { get: done },
      "/admin": { "x-internal": true, get: done },
      "/things": {
        get: done,
        put: { ...done, "x-internal": "yes" },
        post: { ...done, "x-paging": "a" },
      },
      "/open": { get: { ...done, "x-internal": false } },
    });
    const after = api({ "/things": { get: done, post: { ...done, "x-paging": "b" } } });
    const files = { "a.json": before, "b.json": after };
    expect((await project(files).report("a.json", "b.json")).changes).toHaveLength(5);
    const settings =
      "leaveOut: { paths: [/internal/*], marked: [x-internal], extensions: [x-pag*] }";
    const { report } = project({ ...files, "spec-gate.yaml": settings });
    const { changes, notes } = await report("a.json", "b.json");
    expect(notes).toEqual(["left out by leaveOut: 3 operations of the base, 0 of the revision"]);
    expect(changes.map(({ place }) => place.split(" #")[0])).toEqual(["GET /open"]);
  });

  test("strips prefixes of paths, and refuses those that make two operations one", async () => {
    const files = {
      "a.json": api({ "/v1/things": { get: done } }),
      "b.json": api({ "/api/v2/things": { get: done } }),
      "spec-gate.yaml": "stripPrefixes: [/v1, /api, /api/v2/]",
    };
    expect(await project(files).report("a.json", "b.json")).toMatchObject({ changes: [] });
    const both = { ...files, "b.json": api({ "/v1/x": { get: done }, "/api/x": { get: done } }) };
    const { code, stderr } = await project(both).run(["a.json", "b.json"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/stripPrefixes makes GET \/v1\/x and GET \/api\/x the same operation/),
    ]);
  });

  test.each([
    [
      "leaveOut: { paths: [/intern/*] }",
      "leaveOut.paths: /intern/* matches no path; correct or remove it",
    ],
    [
      "leaveOut: { paths: [/thigns] }",
      "leaveOut.paths: /thigns matches no path; did you mean /things?",
    ],
    [
      "leaveOut: { marked: [x-intrnal] }",
      "leaveOut.marked: x-intrnal matches no operation or path; did you mean x-internal?",
    ],
    [
      "leaveOut: { extensions: [x-pagign] }",
      "leaveOut.extensions: x-pagign matches no extension; did you mean x-paging?",
    ],
    ["stripPrefixes: [/api/v2]", "stripPrefixes: /api/v2 matches no path; did you mean /api/v1?"],
    ["stripPrefixes: [/thin]", "stripPrefixes: /thin matches no path; did you mean /things?"],
  ])("that matches nothing is a note: %s", async (settings, note) => {
    const document = api({
      "/things": { get: { ...done, "x-paging": "a", "x-internal": false } },
      "/api/v1/more": { get: done },
    });
    const changed = { ...document, servers: [{ url: "https://a.example" }] };
    const files = { "a.json": document, "b.json": changed, "spec-gate.yaml": settings };
    for (const revision of ["a.json", "b.json"]) {
      const { notes } = await project(files).report("a.json", revision);
      expect(notes).toEqual([note]);
    }
  });

  test("is no note if one of the documents has what it matches", async () => {
    const settings = (path: string) =>
      `leaveOut: { paths: [${path}] }\ndocuments: [{ base: a.json, revision: a.json }, { base: b.json, revision: b.json }]`;
    const files = {
      "a.json": api({ "/a": { get: done } }),
      "b.json": api({ "/b": { get: done } }),
    };
    const notesOf = async (path: string) =>
      (await project({ ...files, "spec-gate.yaml": settings(path) }).report()).notes;
    expect(await notesOf("/b")).toEqual([expect.stringContaining("left out by leaveOut: 1")]);
    expect(await notesOf("/other")).toEqual([expect.stringContaining("/other matches no path")]);
  });

  test("has a policy for versions and deprecations", async () => {
    const files = {
      "a.json": api({ "/things": { get: done } }, "0.1.0"),
      "b.json": api({}, "0.2.0"),
      "ok.yaml":
        "- { rule: operation-removed, place: GET /things, reason: Unused, expiry: 2030-01-01 }",
    };
    const words = ["a.json", "b.json", "--approvals", "ok.yaml"];
    const check = { ...files, "spec-gate.yaml": "version: { check: true }" };
    expect((await project(check).run(words)).code).toBe(0);
    const strict = { ...files, "spec-gate.yaml": "version: { check: true, zeroMayBreak: false }" };
    expect(await project(strict).report(...words)).toMatchObject({
      exitCode: 1,
      failures: [{ rule: "version-not-raised" }],
    });
    const mild = {
      ...strict,
      "spec-gate.yaml":
        "version: { check: true, zeroMayBreak: false }\nseverities: { rules: { version-not-raised: minor } }",
    };
    expect(await project(mild).report(...words)).toMatchObject({
      exitCode: 0,
      failures: [],
      notes: [expect.stringContaining("raise the version from 0.1.0 to 1.0.0")],
    });
    const deprecated = {
      "a.json": one,
      "b.json": api({ "/things": { get: { ...done, operationId: "list", deprecated: true } } }),
      "spec-gate.yaml": "deprecation: { requireSunset: true }",
    };
    expect(rulesOf(await project(deprecated).report("a.json", "b.json"))).toEqual([
      "operation-deprecated-without-date major",
    ]);
  });

  test("is not read from elsewhere than --config says", async () => {
    const { run } = project({
      "a.json": one,
      "b.json": renamed,
      "spec-gate.yaml": "severities: { rules: { operation-id-changed: major } }",
      "other.yaml": "severities: { rules: { operation-id-changed: none } }",
    });
    expect((await run(["a.json", "b.json"])).code).toBe(1);
    expect((await run(["a.json", "b.json", "--config", "other.yaml"])).code).toBe(0);
  });
});

describe("several documents of a configuration", () => {
  const files = {
    "a.json": one,
    "b.json": renamed,
    "c.json": none,
    "spec-gate.yaml": [
      "documents:",
      "  - { base: a.json, revision: b.json }",
      "  - { base: a.json, revision: c.json }",
      "approvals: ok.yaml",
    ].join("\n"),
    "ok.yaml": "# none yet\n",
  };

  test("have one report, whose schema it keeps, with the name of the document at each place", async () => {
    const { report, run } = project(files);
    const found = await report();
    expect(found).toMatchObject({
      outcome: "failed",
      exitCode: 1,
      verdict: "major",
      conclusion: "Failed: 1 breaking change.",
      documents: [{ verdict: "patch" }, { verdict: "major" }],
    });
    expect(found.changes.map(({ place }) => place)).toEqual([
      expect.stringMatching(/c\.json: GET \/things #/),
      expect.stringMatching(/b\.json: GET \/things #/),
    ]);
    expect(found.changes[0]?.approvalEntry).toContain('place: "GET /things #');
    const schema = readFileSync(new URL("../report.schema.json", import.meta.url), "utf8");
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(schema) as JsonObject);
    expect(validate(found), JSON.stringify(validate.errors)).toBe(true);
    for (const format of formats) {
      const { code, stdout } = await run(["--format", format]);
      expect([code, stdout], format).toEqual([1, expect.stringContaining("c.json")]);
    }
  });

  test("may also be named by the command line", async () => {
    const { report, run } = project({ ...files, "spec-gate.yaml": "" });
    expect(await report("a.json", "b.json", "a.json", "c.json")).toMatchObject({
      exitCode: 1,
      documents: [{ verdict: "patch" }, { verdict: "major" }],
    });
    expect((await run(["a.json", "b.json", "c.json"])).stderr).toContain(
      "expected pairs of documents, BASE and REVISION, got no REVISION for ",
    );
  });

  test("share approvals, and one that only one document uses is used", async () => {
    const entry =
      "- { rule: operation-removed, place: GET /things, reason: Unused, expiry: 2030-01-01 }";
    expect(await project({ ...files, "ok.yaml": entry }).report()).toMatchObject({
      outcome: "approved",
      exitCode: 0,
      failures: [],
    });
    const unused = entry.replace("/things", "/others");
    expect(await project({ ...files, "ok.yaml": unused }).report()).toMatchObject({
      exitCode: 1,
      failures: [{ rule: "approval-unused", place: "GET /others" }],
    });
  });

  test("are judged although one of them cannot be read", async () => {
    const { run, report } = project({ ...files, "b.json": "[]" });
    expect(await report()).toMatchObject({
      outcome: "cannot-judge",
      verdict: null,
      changes: [{ rule: "operation-removed" }],
      failures: [{ rule: "cannot-judge" }],
    });
    const { code, stderr } = await run([]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("b.json: expected an OpenAPI")]);
  });
});

describe("--approve", () => {
  const words = ["--approve", "--reason", "Nobody: uses it.", "--expiry", "2030-01-01"];

  test("adds the breaking changes of a run to the file, and keeps what is there", async () => {
    const earlier =
      "# Ours\n- rule: tag-*\n  place: GET /x # why\n  reason: Old\n  expiry: 2030-01-01\n";
    for (const text of [undefined, "", earlier, earlier.replaceAll(/^(?=.)/gm, "  "), "[]\n"]) {
      const { run, path } = project({ "a.json": one, "c.json": none });
      const file = path("approvals.yaml");
      if (text !== undefined) writeFileSync(file, text);
      const { code, stdout } = await run(["a.json", "c.json", "--approvals", file, ...words]);
      // The earlier approval is still unused.
      expect(code, text).toBe(text?.includes("tag-") === true ? 2 : 0);
      expect(stdout).toContain("1 approval written to");
      const written = readFileSync(file, "utf8");
      if (text?.includes("tag-") === true) expect(written.startsWith(text)).toBe(true);
      expect(written).toContain("operation-removed");
      const again = await run(["a.json", "c.json", "--approvals", file, "--format", "json"]);
      expect(JSON.parse(again.stdout)).toMatchObject({
        changes: [{ approval: { reason: "Nobody: uses it.", expiry: "2030-01-01" } }],
      });
      const unchanged = readFileSync(file, "utf8");
      await run(["a.json", "c.json", "--approvals", file, ...words]);
      expect(readFileSync(file, "utf8")).toBe(unchanged);
    }
  });

  test("needs a reason, a date and a file", async () => {
    const { run } = project({ "a.json": one, "c.json": none });
    for (const [given, message] of [
      [["--approve"], "--approve: expected --reason TEXT"],
      [["--approve", "--reason", " "], "--approve: expected --reason TEXT"],
      [["--approve", "--reason", "x"], "--approve: expected --expiry DATE"],
      [["--approve", "--reason", "x", "--expiry", "soon"], "--expiry: expected a date"],
      [
        [...words, "--approvals", "c.json", "--expiry", "2020-01-01"],
        "--expiry: expected a day that is not past, got 2020-01-01",
      ],
      [words, "--approve: expected --approvals FILE"],
      [["--reason", "x"], "--reason: expected --approve beside it"],
    ] as const) {
      const { code, stderr } = await run(["a.json", "c.json", ...given]);
      expect([code, stderr], message).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe("approvals", () => {
  const before = api({
    "/a/x": { get: done, put: done },
    "/a/y": { get: done },
    "/b": { get: done },
  });
  const approved = async (rule: string, place: string) => {
    const entry = JSON.stringify([{ rule, place, reason: "Unused", expiry: "2030-01-01" }]);
    const { report } = project({ "a.json": before, "b.json": none, "ok.json": entry });
    const { changes, failures } = await report("a.json", "b.json", "--approvals", "ok.json");
    const names = changes.flatMap((each) => (each.approval === null ? [] : each.operations));
    return failures.length > 0 ? failures : names.toSorted();
  };

  test("apply to many places and rules by pattern", async () => {
    expect(await approved("operation-removed", "* /a/*")).toEqual([
      "GET /a/x",
      "GET /a/y",
      "PUT /a/x",
    ]);
    expect(await approved("operation-*", "GET /a/x")).toEqual(["GET /a/x"]);
    expect(await approved("*-removed", "*")).toHaveLength(4);
    expect(await approved("operation-removed", "* /c/*")).toMatchObject([
      { rule: "approval-unused" },
    ]);
    expect(await approved("operation-added*", "*")).toMatchObject([{ rule: "approval-unused" }]);
  });

  test("of a pattern that no rule matches are refused", async () => {
    const entry = "- { rule: opration-*, place: '*', reason: Unused, expiry: 2030-01-01 }";
    const { run } = project({ "a.json": one, "b.json": none, "ok.yaml": entry });
    const { code, stderr } = await run(["a.json", "b.json", "--approvals", "ok.yaml"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("there is no rule opration-*")]);
  });
});

describe("the standard input", () => {
  test("is one of the documents", async () => {
    const { run } = project({ "a.json": one });
    expect((await run(["a.json", "-"], JSON.stringify(one))).code).toBe(0);
    expect((await run(["a.json", "-"], JSON.stringify(none))).code).toBe(1);
    expect((await run(["-", "a.json"], JSON.stringify(none))).code).toBe(0);
    expect((await run(["-", "a.json"], "")).stderr).toContain(
      "-: expected an OpenAPI 3.0, 3.1 or 3.2",
    );
    expect((await run(["-", "-"])).stderr).toContain("expected only one document");
  });
});
