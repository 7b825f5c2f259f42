import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { runCommand } from "../src/command.ts";
import type { JsonObject } from "../src/json.ts";
import { testDay } from "../src/testing/documents.ts";

const folder = mkdtempSync(join(tmpdir(), "spec-gate-command-"));

function file(name: string, content: string | JsonObject): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

const api = (version: string, properties: JsonObject) => ({
  openapi: "3.1.0",
  info: { title: "Things", version },
  paths: {
    "/things/{id}": {
      get: {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          200: {
            description: "Fine.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
        },
      },
    },
  },
  components: { schemas: { Thing: { type: "object", properties } } },
});

const text = { type: "string" };
const base = file("base.json", api("1.0.0", { id: text, name: text }));
const same = file("same.json", api("1.0.0", { name: text, id: text }));
const added = file("added.json", api("1.0.0", { id: text, name: text, size: text }));
const removed = file("removed.json", api("1.1.0", { id: text }));
const place = "GET /things/{id} #/components/schemas/Thing/properties/name";

async function run(...words: string[]) {
  let stdout = "";
  let stderr = "";
  const code = await runCommand(words, {
    stdout: { write: (part) => (stdout += part) },
    stderr: { write: (part) => (stderr += part) },
    folder,
    fetch,
    now: () => testDay,
  });
  return { code, stdout, stderr };
}

describe("exit codes", () => {
  test("are 0 without, 1 with a breaking change, and 2 if there is no result", async () => {
    expect(await run(base, same)).toMatchObject({ code: 0, stderr: "" });
    expect((await run(base, added)).code).toBe(0);
    expect((await run(base, removed)).code).toBe(1);
    expect(await run(base, join(folder, "absent.json"))).toMatchObject({ code: 2, stdout: "" });
  });

  test.each(["--output", "--changelog"])(
    "are 2 if %s is a document, which stays",
    async (option) => {
      for (const document of [base, removed]) {
        const before = readFileSync(document, "utf8");
        const { code, stderr } = await run(base, removed, option, document);
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: `spec-gate: ${option}: expected a file that is not read, got ${document}; see --help\n`,
        });
        expect(readFileSync(document, "utf8")).toBe(before);
      }
    },
  );

  test.each(["2030-02-30", "2030-13-01", "2030-1-1", "soon"])(
    "are 2 for a day that the calendar lacks: %s",
    async (day) => {
      const { code, stderr } = await run(base, same, "--today", day);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `spec-gate: --today: expected a date such as 2030-12-31, got ${day}; see --help\n`,
      });
      const approvals = file(
        `approvals-${day}.yaml`,
        `- { rule: property-removed, place: "*", reason: Unread., expiry: "${day}" }\n`,
      );
      const approved = await run(base, removed, "--approvals", approvals);
      expect(approved.code).toBe(2);
      expect(approved.stderr).toContain(`expected an expiry such as 2030-12-31, got ${day}`);
    },
  );

  test("are 2 for an invalid command line", async () => {
    for (const words of [
      [],
      [base],
      [base, same, added],
      [base, same, "--format", "pdf"],
      ["--no"],
    ]) {
      const { code, stderr } = await run(...words);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^spec-gate: .+; see --help\n$/)]);
    }
    expect((await run("--help")).stdout).toContain("Exit codes");
  });
});

describe("the report", () => {
  test("as JSON contains the verdict, and each change with its place in both documents", async () => {
    expect(JSON.parse((await run(base, same, "--format", "json")).stdout)).toMatchObject({
      outcome: "passed",
      verdict: "none",
      changes: [],
    });
    expect(JSON.parse((await run(base, removed, "--format", "json")).stdout)).toMatchObject({
      outcome: "failed",
      verdict: "major",
      changes: [
        {
          rule: "property-removed",
          verdict: "major",
          direction: "response",
          place,
          message: "the member name was removed",
          affects: ["clients that read it"],
          member: "Thing.name",
          parts: [{ operation: "GET /things/{id}", name: "response 200" }],
          locations: { base: { file: "base.json" }, revision: { file: "removed.json" } },
          values: { base: '{"type": "string"}', revision: null },
        },
      ],
    });
  });

  test("as SARIF matches the official schema and has the line", async () => {
    const manifest = createRequire(import.meta.url).resolve("@microsoft/jest-sarif/package.json");
    const schema = join(dirname(manifest), "lib/schemas/sarif-2.1.0-rtm.5.json");
    const {
      $schema: _,
      id: __,
      ...official
    } = JSON.parse(readFileSync(schema, "utf8")) as JsonObject;
    const validate = new Ajv({
      strict: false,
      logger: false,
      validateFormats: false,
      unicodeRegExp: false,
    }).compile(official);
    const report = JSON.parse((await run(added, base, "--format", "sarif")).stdout);
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    const [result] = report.runs[0].results;
    const { artifactLocation, region } = result.locations[0].physicalLocation;
    expect(artifactLocation.uri).toBe("base.json");
    const lines = readFileSync(base, "utf8").split("\n");
    expect(lines[region.startLine - 1]).toContain('"properties"');
    expect(validate({ ...report, runs: [{ results: [] }] })).toBe(false);
  });

  test("as JUnit counts failures and escapes names", async () => {
    const { stdout } = await run(base, removed, "--format", "junit");
    expect(stdout).toContain('<testsuites name="spec-gate" tests="1" failures="1">');
    expect(stdout).toContain(
      '<failure type="property-removed" message="the member name was removed">',
    );
    const odd = file("odd.json", api("1.0.0", { id: text, name: text, 'a<b"&': text }));
    const more = (await run(odd, base, "--format", "junit")).stdout;
    expect(more).toContain("the member a&lt;b&quot;&amp; was removed");
  });

  test("as Markdown escapes texts of the document", async () => {
    const odd = file("odd.json", api("1.0.0", { id: text, name: text, "a|b`c @team <img>": text }));
    const { stdout } = await run(odd, base, "--format", "markdown");
    expect(stdout).toContain("<!-- spec-gate -->");
    expect(stdout).toContain("a\\|b\\`c @<!-- -->team &lt;img> was removed");
    const row = stdout.split("\n").find((line) => line.includes("img")) ?? "";
    expect(row.replaceAll("\\|", "").split("|")).toHaveLength(7);
  });

  test.each([
    ["a backslash before a pipe", "a\\\\|b", "<code>", "a\\\\\\\\\\|b"],
    ["backticks", "a``b`c", "<code>", "a\\`\\`b\\`c"],
    ["a link", "https://evil.example", "", "https:<!-- -->//evil.example"],
    ["a host", "www.evil.example", "", "www<!-- -->.evil.example"],
    ["an image", "![x](y)", "", "!\\[x\\](y)"],
    ["an issue", "#1", "", "#<!-- -->1"],
  ])("as Markdown has no markup of the document: %s", async (_, name, start, expected) => {
    const odd = file("odd.json", api("1.0.0", { id: text, name: text, [name]: text }));
    const { stdout } = await run(odd, base, "--format", "markdown");
    const row = stdout.split("\n").find((line) => line.includes("was removed")) ?? "";
    expect(row).toContain(`the member ${expected} was removed`);
    expect(row).toMatch(start === "" ? /^\| `[^`]+` \|/ : /^\| <code>.*<\/code> \| `property/);
  });

  test("has no lines, links and commands of the document in any format", async () => {
    const name = "a\n::warning::b\r\u001B[2J\u202E[c](https://evil.example)";
    const odd = file("odd.json", api("1.0.0", { id: text, name: text, [name]: text }));
    for (const format of ["text", "markdown", "github", "junit", "sarif"]) {
      const { stdout } = await run(odd, base, "--format", format);
      expect(stdout).toContain("::warning::b");
      expect(stdout.split("\n").filter((line) => line.startsWith("::warning::b"))).toEqual([]);
      if (format !== "github") expect(stdout).not.toContain("\u001B");
      if (format === "sarif") expect(stdout).not.toMatch(/"text": ".*\[c\]\(/);
    }
    const broken = file("broken.json", api("1.0.0", { id: { $ref: "a\n::warning::b" } }));
    const { code, stderr } = await run(broken, base);
    expect([code, stderr.split("\n").length]).toEqual([2, 2]);
  });

  test("for GitHub annotates the line", async () => {
    const { stdout } = await run(base, removed, "--format", "github");
    expect(stdout).toMatch(
      /^::error file=removed\.json,line=\d+,col=\d+,title=property-removed::GET \/things/,
    );
    expect((await run(base, added, "--format", "github")).stdout).toContain(
      "::notice file=added.json",
    );
  });

  test("is written to files, in several formats at once", async () => {
    const [output, junit] = [join(folder, "out.md"), join(folder, "out.xml")];
    const words = ["--format", "markdown", "--output", output, "--also", `junit=${junit}`];
    expect(await run(base, removed, ...words)).toMatchObject({ code: 1, stdout: "" });
    expect(readFileSync(output, "utf8")).toContain("property-removed");
    expect(readFileSync(junit, "utf8")).toContain("property-removed");
    expect((await run(base, same, "--also", "junit")).stderr).toContain("expected FORMAT=FILE");
  });
});

describe("approvals", () => {
  const approval = (more: JsonObject = {}) =>
    JSON.stringify([
      {
        rule: "property-removed",
        place,
        reason: "Nobody reads it.",
        expiry: "2027-01-01",
        ...more,
      },
    ]);
  const approved = (content: string, revision = removed) =>
    run(base, revision, "--approvals", file("approvals.yaml", content));

  test("accept a breaking change, by its place, its pointer or its operation", async () => {
    for (const where of [place, place.split(" ")[2] ?? "", "GET /things/{id}"]) {
      const { code, stdout } = await approved(approval({ place: where }));
      expect([code, stdout]).toEqual([0, expect.stringContaining("approved: Nobody reads it.")]);
    }
  });

  test("fail if they are expired or unused, also if nothing changed", async () => {
    const expired = await approved(approval({ expiry: "2026-11-21" }));
    expect([expired.code, expired.stdout]).toEqual([
      1,
      expect.stringContaining("approval-expired"),
    ]);
    expect((await approved(approval({ expiry: "2026-11-22" }))).code).toBe(0);
    const unused = await approved(approval(), added);
    expect([unused.code, unused.stdout]).toEqual([
      2,
      expect.stringMatching(/approvals\.yaml:1:\d+: the approval of property-removed/),
    ]);
    for (const unchanged of [same, base]) {
      const { code, stdout } = await approved(approval(), unchanged);
      expect([code, stdout]).toEqual([2, expect.stringContaining("matches no breaking change")]);
    }
  });

  test("accept only the breaking changes of their rule", async () => {
    const { code, stdout } = await approved(approval({ rule: "type-changed" }));
    expect([code, stdout]).toEqual([1, expect.stringContaining("approval-unused")]);
    expect(stdout).not.toContain("approved: ");
    const addition = await approved(approval({ rule: "property-added", place: "*" }), added);
    expect(addition.stdout).toContain("the approval of property-added matches no breaking change");
  });

  test("that the base contains too were used by a change of the base", async () => {
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder });
    git("init", "-q");
    file("approvals.yaml", approval());
    file("current.json", api("1.1.0", { id: text }));
    git("add", "approvals.yaml", "current.json");
    git("commit", "-q", "-m", "First");
    const later = file("current.json", api("1.2.0", { id: text, size: text }));
    const judged = (content: string) =>
      run("git:HEAD:current.json", later, "--approvals", file("approvals.yaml", content));
    const { code, stdout } = await judged(approval());
    expect([code, stdout]).toEqual([0, expect.stringContaining("is already in the base")]);
    const other = await judged(approval({ place: "GET /things/{id}" }));
    expect([other.code, other.stdout]).toEqual([2, expect.stringContaining("approval-unused")]);
  });

  test.each([
    ["{}", "expected a list of approvals"],
    ["[1]", "approval 1: expected an object"],
    [approval({ reason: "" }), "expected the text reason"],
    [approval({ rule: "property-remove" }), "did you mean property-removed?"],
    [approval({ expiry: "soon" }), "expected an expiry such as 2030-12-31"],
    [approval({ until: "x" }), "the member until is not known"],
  ])("that are invalid cannot be evaluated: %s", async (content, expected) => {
    const { code, stderr } = await approved(content);
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });
});

test("a path of a git revision may start at the current folder", async () => {
  const own = mkdtempSync(join(tmpdir(), "spec-gate-subfolder-"));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: own });
  mkdirSync(join(own, "docs"));
  writeFileSync(join(own, "docs/api.json"), JSON.stringify(api("1.0.0", { id: text })));
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "First");
  for (const [folderOfRun, name] of [
    [join(own, "docs"), "./api.json"],
    [join(own, "docs"), "../docs/api.json"],
    [own, "./docs/api.json"],
    [join(own, "docs"), "docs/api.json"],
  ] as const) {
    let stdout = "";
    const code = await runCommand([`git:HEAD:${name}`, join(own, "docs/api.json")], {
      stdout: { write: (part) => (stdout += part) },
      stderr: { write: (part) => (stdout += part) },
      folder: folderOfRun,
      fetch,
      now: () => testDay,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("nothing changed")]);
  }
});

describe("the version", () => {
  const checked = async (from: string, to: string, properties: JsonObject) => {
    const before = file("before.json", api(from, { id: text, name: text }));
    const after = file("after.json", api(to, properties));
    const { stdout } = await run(before, after, "--check-version", "--format", "text");
    return /version-[a-z-]+/.exec(stdout)?.[0] ?? "fine";
  };
  const gone = { id: text };
  const more = { id: text, name: text, size: text };

  test.each([
    ["1.0.0", "1.1.0", gone, "version-not-raised"],
    ["1.0.0", "2.0.0", gone, "fine"],
    ["0.1.0", "0.1.1", gone, "version-not-raised"],
    ["0.1.0", "0.2.0", gone, "fine"],
    ["1.0.0", "1.0.1", more, "version-not-raised"],
    ["1.0.0", "1.1.0", more, "fine"],
    ["1.0.0", "1.0.0", { name: text, id: text }, "fine"],
    ["1.1.0", "1.0.0", more, "version-decreased"],
    ["v1", "v1", more, "version-not-raised"],
    ["v1", "v2", gone, "fine"],
    ["spring", "spring", more, "version-not-raised"],
    ["spring", "summer", gone, "fine"],
  ])("%s to %s with %o is %s", async (from, to, properties, expected) => {
    expect(await checked(from, to, properties)).toBe(expected);
  });
});

test("a changelog describes the changes", async () => {
  const changelog = join(folder, "changelog.md");
  await run(base, removed, "--changelog", changelog);
  expect(readFileSync(changelog, "utf8")).toBe(
    [
      "## 1.1.0 (2026-11-22)",
      "",
      "### Breaking changes",
      "",
      "- `GET /things/{id}` (`Thing.name` in the response): the member name was removed.",
      "",
    ].join("\n"),
  );
});

test("deprecating without a date is minor, and breaking with --require-sunset", async () => {
  const old = file("old.json", api("1.0.0", { id: text, name: { ...text, deprecated: true } }));
  expect((await run(base, old)).code).toBe(0);
  expect((await run(base, old, "--require-sunset")).code).toBe(1);
});
