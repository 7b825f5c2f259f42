import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import { runCommand } from "../src/command.ts";
import type { Json, JsonObject } from "../src/json.ts";
import { testDay } from "../src/testing/documents.ts";

const folder = mkdtempSync(join(tmpdir(), "spec-gate-changelog-"));
afterAll(() => rmSync(folder, { recursive: true }));

const git = (...words: readonly string[]): void => {
  const person = [
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@t.example",
    "-c",
    "commit.gpgSign=false",
  ];
  execFileSync("git", [...person, ...words], { cwd: folder, stdio: "pipe" });
};

const done = { responses: { 204: { description: "Done." } } };

function commit(version: string, paths: readonly string[], tag?: string): void {
  const all = Object.fromEntries(paths.map((path) => [path, { get: done }]));
  const document = { openapi: "3.1.0", info: { title: "T", version }, paths: all };
  writeFileSync(join(folder, "api/openapi.json"), JSON.stringify(document, null, 2));
  git("add", "-A");
  git("commit", "-qm", version, "--date", "2026-01-02T12:00:00Z");
  if (tag !== undefined) git("tag", tag);
}

beforeAll(() => {
  mkdirSync(join(folder, "api"));
  git("init", "-q");
  commit("1.0.0", ["/a"], "v1");
  commit("1.1.0", ["/a", "/b"]);
  commit("1.1.0", ["/a", "/b", "/<c>"], "v1.1");
  commit("2.0.0", ["/a", "/<c>"], "v2");
});

async function run(...words: readonly string[]) {
  let stdout = "";
  let stderr = "";
  const code = await runCommand(["changelog", ...words], {
    stdout: { write: (part) => (stdout += part) },
    stderr: { write: (part) => (stderr += part) },
    folder,
    fetch,
    now: () => testDay,
  });
  return { code, stdout, stderr };
}

const entriesOf = async (...words: readonly string[]) => {
  const { stdout } = await run("api/openapi.json", ...words, "--format", "json");
  const { entries } = JSON.parse(stdout) as {
    entries: { version: string; verdict: string; changes: { operations: string[] }[] }[];
  };
  return entries.map(({ version, verdict, changes }) => [
    version,
    verdict,
    ...changes.flatMap(({ operations }) => operations),
  ]);
};

const first = ["1.1.0", "minor", "GET /b", "GET /<c>"];
const second = ["2.0.0", "major", "GET /b"];

test(
  "a changelog has one entry a version, the newest first, in every format",
  { tags: ["exhaustive"] },
  async () => {
    expect(await run("api/openapi.json")).toEqual({
      code: 0,
      stderr: "",
      stdout: [
        "# Changes of the document\n",
        "## 2.0.0 (2026-01-02)\n",
        "### Breaking changes\n",
        "- `GET /b`: the operation was removed.\n",
        "## 1.1.0 (2026-01-02)\n",
        "### Additions\n",
        "- `GET /b`, `GET /<c>`: the operation is new.\n",
      ].join("\n"),
    });
    expect(await entriesOf()).toEqual([second, first]);
    const json = JSON.parse((await run("api/openapi.json", "--format", "json")).stdout) as Json;
    const schema = readFileSync(new URL("../changelog.schema.json", import.meta.url), "utf8");
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(schema) as JsonObject,
    );
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
    expect(json).toMatchObject({ $schema: expect.stringMatching(/changelog\.schema\.json$/) });
    expect(validate({ version: 1, entries: [] })).toBe(false);
    const { stdout } = await run("api/openapi.json", "--format", "html");
    expect(stdout).toContain(
      "<li><code>GET /b</code>, <code>GET /&lt;c&gt;</code>: the operation is new.</li>",
    );
  },
);

test("a changelog has the range that is asked for, and all that changed in it", async () => {
  expect(await entriesOf("--from", "v1", "--to", "v2")).toEqual([second, first]);
  expect(await entriesOf("--from", "v1", "--to", "v1.1")).toEqual([first]);
  expect(await entriesOf("--from", "v1.1")).toEqual([second]);
  // Not raised since.
  expect(await entriesOf("--from", "v1.1^", "--to", "v1.1")).toEqual([
    ["1.1.0", "minor", "GET /<c>"],
  ]);
});

test.each([
  [["api/none.json"], "--to: api/none.json does not exist at HEAD"],
  [["api/openapi.json", "--from", "v9"], "--from: there is no commit v9"],
  [["api/openapi.json", "--to", "--output=x"], "--to: expected a value after it"],
  [
    ["api/openapi.json", "--format", "sarif"],
    "--format: expected markdown, html, json for changelog",
  ],
  [[], "changelog: expected one document, got none"],
])("a changelog of %j is refused", async (words, message) => {
  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
