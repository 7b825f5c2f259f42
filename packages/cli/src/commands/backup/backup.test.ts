import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockFolder } from "../../database/folder-lock.ts";
import { commandLine, type CommandLine } from "../../testing/command-line.ts";
import { demoFolder, preparedFolder } from "../../testing/prepared-folder.ts";

interface Summary {
  readonly file: string;
  readonly files: number | null;
  readonly keys: boolean;
}

const tenant = preparedFolder((folder) =>
  commandLine({ folder }).json(["tenants", "create", "Acme"]),
);

async function withTenant(): Promise<CommandLine> {
  const { folder } = await tenant();
  return commandLine({ folder });
}

const names = async (command: CommandLine, ...words: readonly string[]) =>
  (await command.json<{ name: string }[]>(["tenants", "list", ...words]))
    .map(({ name }) => name)
    .toSorted();

test("a backup of a demo is restored in an empty folder, with files and keys", async () => {
  const { folder } = await demoFolder();
  const command = commandLine({ folder });
  const made = await command.json<Summary>(["backup", "a.tar", "--with-keys"]);
  expect(made).toMatchObject({ file: join(folder, "a.tar"), keys: true });
  expect(made.files).toBeGreaterThan(5);
  expect(await command.json<Summary>(["verify", "a.tar"])).toEqual(made);
  const restored = await command(["restore", "a.tar", "--data", "new", "--with-keys"]);
  expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
  expect(restored.stdout).toMatch(/^database +sqlite, schema \d+$/m);
  expect(await names(command, "--data", "new")).toEqual(await names(command));
  expect(readFileSync(join(folder, "new/secrets.key"), "utf8")).toBe(
    readFileSync(join(folder, ".data/secrets.key"), "utf8"),
  );
  const blobs = (data: string) =>
    readdirSync(join(folder, data, "blobs"), { recursive: true, encoding: "utf8" }).filter(
      (name) => name.length > 60,
    );
  expect(blobs("new").toSorted()).toEqual(blobs(".data").toSorted());
});

test(
  "files and keys are left out on demand, and existing keys are kept",
  { tags: ["exhaustive", "nightly"] },
  async () => {
    const { folder } = await demoFolder();
    const command = commandLine({ folder });
    const made = await command.json<Summary>(["backup", "a.tar", "--without-files"]);
    expect([made.files, made.keys]).toEqual([null, false]);
    await command.json(["restore", "a.tar", "--data", "new"]);
    expect(existsSync(join(folder, "new/blobs"))).toBe(false);
    expect(existsSync(join(folder, "new/secrets.key"))).toBe(false);
    await command.json(["backup", "b.tar", "--with-keys"]);
    await command.json(["keys", "add", "--data", "new"]);
    const own = readFileSync(join(folder, "new/secrets.key"), "utf8");
    const words = ["restore", "b.tar", "--data", "new", "--replace", "--with-keys"];
    for (const _ of [1, 2]) await command.json(words);
    const lines = (text: string) => text.split("\n").filter((line) => /^[^#]/.test(line));
    expect(lines(readFileSync(join(folder, "new/secrets.key"), "utf8"))).toEqual([
      ...lines(own),
      ...lines(readFileSync(join(folder, ".data/secrets.key"), "utf8")),
    ]);
  },
);

test("nothing is replaced without being told to, and nothing of a folder in use", async () => {
  const command = await withTenant();
  await command.json(["backup", "a.tar"]);
  await command.json(["tenants", "create", "Later"]);
  const file = join(command.folder, ".data/platform.sqlite");
  const refused = await command(["restore", "a.tar"]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toBe(
    `secplat: ${file}: the database is not empty; choose an empty one, or add --replace to replace all that it has\n`,
  );
  const lock = await lockFolder(join(command.folder, ".data"));
  const inUse = await command(["restore", "a.tar", "--replace"]);
  lock?.release();
  expect(inUse.exitCode).toBe(1);
  expect(inUse.stderr).toMatch(/\.data is in use by another process; stop it, or choose/);
  expect(await names(command)).toEqual(["Acme", "Later"]);
  await command.json(["restore", "a.tar", "--replace"]);
  expect(await names(command)).toEqual(["Acme"]);
});

test("a damaged backup leaves not even a folder behind", async () => {
  const command = await withTenant();
  await command.json(["backup", "a.tar"]);
  const whole = readFileSync(join(command.folder, "a.tar"));
  writeFileSync(join(command.folder, "half.tar"), whole.subarray(0, whole.length / 2));
  for (const words of [
    ["verify", "half.tar"],
    ["restore", "half.tar", "--data", "new", "--with-keys"],
  ]) {
    expect(await command(words)).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^secplat: the backup \S+half\.tar is cut off after \d+ bytes; /,
      ),
    });
  }
  expect(existsSync(join(command.folder, "new"))).toBe(false);
});

test.each([
  [["backup", "a.tar", "--database", "sqlite::memory:"], 2, "a database in memory exists only"],
  [["restore", "a.tar", "--database", "sqlite::memory:"], 2, "a database in memory ends with"],
  [["backup", "a.tar", "--data", "none"], 1, "there is no database at "],
  [["backup", "there.tar"], 1, "there.tar exists already; choose another name"],
  [["backup", "missing/a.tar"], 1, "missing"],
  [["restore", "there.tar", "--data", "new"], 1, "there.tar is not a backup of secplat"],
  [["restore", "folder", "--data", "new"], 1, "folder is not a file; expected a backup"],
  [["restore", "none.tar", "--data", "new"], 1, "none.tar: ENOENT"],
  [["verify", ""], 2, "<file> cannot be ''. Expected a file."],
])("%j is refused", async (words, exitCode, message) => {
  const command = await withTenant();
  writeFileSync(join(command.folder, "there.tar"), "mine");
  mkdirSync(join(command.folder, "folder"));
  const before = readdirSync(command.folder, { recursive: true }).length;
  const outcome = await command(words);
  expect(outcome).toMatchObject({ exitCode, stdout: "" });
  expect(outcome.stderr).toContain(message);
  expect(readFileSync(join(command.folder, "there.tar"), "utf8")).toBe("mine");
  expect(readdirSync(command.folder, { recursive: true })).toHaveLength(before);
});

test("keys that do not exist are not left out silently", async () => {
  const command = await withTenant();
  rmSync(join(command.folder, ".data/secrets.key"), { force: true });
  const { exitCode, stderr } = await command(["backup", "a.tar", "--with-keys"]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/secrets\.key does not exist or has no key; omit --with-keys\n$/);
  expect(existsSync(join(command.folder, "a.tar"))).toBe(false);
});

test("a backup and a restore tell of what a command that was killed has left", async () => {
  const command = await withTenant();
  const leave = (name: string): string => {
    const path = join(command.folder, name);
    writeFileSync(path, "");
    const yesterday = new Date(Date.now() - 24 * 3_600_000);
    utimesSync(path, yesterday, yesterday);
    return path;
  };
  const left = leave("monday.tar.0123abcd.part");
  leave("mine.part");
  const telling = (path: string) =>
    `secplat: ${path} was left by a command that was killed, and takes up space; delete it\n`;
  const backup = await command(["backup", "a.tar"]);
  expect(backup).toMatchObject({ exitCode: 0, stderr: telling(left) });
  const restored = leave(".data/secplat.sqlite.89abcdef.restored");
  const { exitCode, stderr } = await command(["restore", "a.tar", "--replace"]);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(telling(restored))]);
  expect([existsSync(left), existsSync(restored)]).toEqual([true, true]);
});

test("a restore names the keys that the key file of the target lacks", async () => {
  const { folder } = await demoFolder();
  const command = commandLine({ folder });
  await command.json(["backup", "a.tar", "--without-files"]);
  const [{ id }] = await command.json<[{ id: string }]>(["keys", "list"]);
  const restoring = (...words: string[]) =>
    command(["restore", "a.tar", "--data", "new", "--replace", ...words]);
  const file = join(folder, "new/secrets.key");
  const needs = "secplat: the secrets in the database need their keys: ";
  expect(await restoring()).toMatchObject({
    exitCode: 0,
    stderr: `${needs}copy the secrets.key of the backup's server to ${file}\n`,
  });
  await command.json(["keys", "add", "--data", "new"]);
  expect(await restoring()).toMatchObject({
    exitCode: 0,
    stderr: `${needs}add ${id} from the secrets.key of the backup's server to ${file}\n`,
  });
  copyFileSync(join(folder, ".data/secrets.key"), file);
  expect(await restoring()).toMatchObject({ exitCode: 0, stderr: "" });
});
