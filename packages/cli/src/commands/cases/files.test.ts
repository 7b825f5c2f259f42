import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";

interface Listed {
  readonly id: string;
  readonly name: string;
}

let secplat: CommandLine;

beforeEach(async () => {
  secplat = commandLine();
  await secplat(["tenants", "create", "Acme Corp"]);
  const line = JSON.stringify({
    id: "00000000-0000-4000-8000-000000000001",
    name: "Emberfall",
    severity: 50,
  });
  writeFileSync(join(secplat.folder, "cases.ndjson"), `${line}\n`);
  const imported = await secplat(["import", "cases", "cases.ndjson"]);
  expect(imported.exitCode, imported.stderr).toBe(0);
});

test("adds a file to a case, lists it, shows it and saves it again", async () => {
  writeFileSync(join(secplat.folder, "tree.csv"), "a,b\n1,2\n");
  const added = await secplat.json<Listed>([
    "cases",
    "files",
    "add",
    "CSE-1",
    "tree.csv",
    "--description",
    "Started",
  ]);
  expect(added).toMatchObject({ name: "tree.csv", file_type: "text/csv", uploaded_by: "cli" });
  expect(await secplat.json(["cases", "files", "list"])).toEqual([added]);
  expect(await secplat.json(["cases", "files", "show", added.id])).toEqual(added);
  const kept = await secplat(["cases", "files", "save", added.id]);
  expect([kept.exitCode, kept.stderr]).toEqual([
    exitCodes.failure,
    expect.stringContaining("exists already; replace it with --force"),
  ]);
  const saved = await secplat(["cases", "files", "save", added.id, "copy.csv"]);
  expect(saved.exitCode, saved.stderr).toBe(0);
  expect(readFileSync(join(secplat.folder, "copy.csv"), "utf8")).toBe("a,b\n1,2\n");
});

test.each([
  [["add", "CSE-2", "cases.ndjson"], "there is no case CSE-2"],
  [["add", "CSE-1", "empty"], "empty is empty"],
  [["add", "CSE-1", "cases.ndjson", "--name", "a/b"], "a/b: expected a name, not a path"],
  [["add", "CSE-1", "none.csv"], "cannot read none.csv: there is no such file"],
  [["show", "0".repeat(32)], `there is no file ${"0".repeat(32)}`],
  [["save", "0".repeat(32)], `there is no file ${"0".repeat(32)}`],
])("rejects %j", async (words, message) => {
  writeFileSync(join(secplat.folder, "empty"), "");
  const { exitCode, stderr } = await secplat(["cases", "files", ...words]);
  expect([exitCode, stderr]).toEqual([exitCodes.failure, expect.stringContaining(message)]);
  expect(await secplat.json(["cases", "files", "list"])).toEqual([]);
});
