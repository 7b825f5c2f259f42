import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../../testing/command-line.ts";
import { demoFolder } from "../../testing/prepared-folder.ts";

interface Summary {
  readonly file: string;
  readonly files: number | null;
}

test(
  "a demo is exported and imported with files and keys, and its snapshot stays the same",
  { tags: ["exhaustive"] },
  async () => {
    const { folder } = await demoFolder();
    const command = commandLine({ folder });
    const made = await command.json<Summary>(["snapshot", "export", "a.tar", "--with-keys"]);
    expect(made).toMatchObject({ kind: "snapshot", file: join(folder, "a.tar"), keys: true });
    expect(made.files).toBeGreaterThan(5);
    expect(await command.json<Summary>(["verify", "a.tar"])).toEqual(made);
    const imported = await command(["snapshot", "import", "a.tar", "--data", "new", "--with-keys"]);
    expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
    expect(imported.stdout).toMatch(/^database +sqlite or postgres, schema \d+$/m);
    await command.json(["snapshot", "export", "b.tar", "--data", "new", "--with-keys"]);
    const [first, second] = ["a.tar", "b.tar"].map((name) => readFileSync(join(folder, name)));
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
    const tenants = ["tenants", "list"];
    expect(await command.json([...tenants, "--data", "new"])).toEqual(await command.json(tenants));
  },
);

test(
  "a snapshot that is not whole leaves not even a folder behind, and a full database is kept",
  { tags: ["exhaustive"] },
  async () => {
    const { folder } = await demoFolder();
    const command = commandLine({ folder });
    await command.json(["snapshot", "export", "a.tar", "--without-files"]);
    const whole = readFileSync(join(folder, "a.tar"));
    writeFileSync(join(folder, "half.tar"), whole.subarray(0, whole.length / 2));
    const half = await command(["snapshot", "import", "half.tar", "--data", "new"]);
    expect(half).toMatchObject({ exitCode: 1, stdout: "" });
    expect(half.stderr).toMatch(/^secplat: the backup \S+half\.tar is cut off after \d+ bytes; /);
    expect(existsSync(join(folder, "new"))).toBe(false);
    const full = await command(["snapshot", "import", "a.tar"]);
    expect(full.exitCode).toBe(1);
    expect(full.stderr).toMatch(/the database is not empty; choose an empty one, or add --replace/);
  },
);

test.each([
  [
    ["snapshot", "export", "a.tar", "--database", "sqlite::memory:"],
    2,
    "a database in memory exists",
  ],
  [
    ["snapshot", "import", "a.tar", "--database", "sqlite::memory:"],
    2,
    "a database in memory ends",
  ],
  [["snapshot", "export", "a.tar", "--database", "mysql://host/name"], 2, "--database"],
  [["snapshot", "export", "a.tar", "--data", "none"], 1, "there is no database at "],
  [["snapshot", "import", "none.tar", "--data", "new"], 1, "none.tar: ENOENT"],
  [["snapshot", "exprot"], 2, "Did you mean export?"],
])("%j is refused", async (words, exitCode, message) => {
  const { folder } = await demoFolder();
  const outcome = await commandLine({ folder })(words);
  expect(outcome).toMatchObject({ exitCode, stdout: "" });
  expect(outcome.stderr).toContain(message);
});
