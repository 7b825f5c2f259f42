import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { commandLine } from "../testing/command-line.ts";
import { demoFolder, preparedFolder } from "../testing/prepared-folder.ts";
import { silentContext } from "../testing/silent-context.ts";
import { SilentExit } from "./exit-codes.ts";
import { interruptible } from "./interruptible.ts";

const nightly = { tags: ["exhaustive", "nightly"] };

const archives = preparedFolder(async (folder) => {
  await demoFolder(folder);
  const command = commandLine({ folder });
  await command.json(["backup", "backup.tar", "--with-keys"]);
  await command.json(["snapshot", "export", "snapshot.tar", "--with-keys"]);
});

/** The files of a folder except its lock, with the sizes of those that SQLite does not change when it reads. */
const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/-(wal|shm)$|^server\.lock$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => `${path} ${readFileSync(path).length}`)
        .toSorted()
    : [];

const unchanged = "secplat: interrupted; the database and its files are unchanged\n";

test.each([
  [["restore", "backup.tar", "--data", "new", "--with-keys"], unchanged],
  [["snapshot", "import", "snapshot.tar", "--data", "new", "--with-keys"], unchanged],
  [["restore", "backup.tar", "--replace", "--with-keys"], unchanged],
  [["backup", "other.tar"], /^secplat: interrupted; .*other\.tar was not written\n$/],
  [["snapshot", "export", "other.tar"], /^secplat: interrupted; .*other\.tar was not written\n$/],
])(
  "%j leaves nothing behind at whichever point it is interrupted",
  nightly,
  async (words, message) => {
    const { folder } = await archives();
    const before = filesIn(folder);
    const seen: number[] = [];
    for (let points = 0; ; points = points * 2 + 1) {
      const command = commandLine({ folder, interruptAfter: points });
      const { exitCode, stdout, stderr } = await command(words);
      seen.push(exitCode);
      if (exitCode === 0) break;
      expect([exitCode, stdout, filesIn(folder)]).toEqual([130, "", before]);
      expect(stderr).toMatch(message);
    }
    expect(seen.length).toBeGreaterThan(3);
  },
);

test.each([
  [["seed"], "what was written stays; run the command again to complete the world"],
  [["keys", "rotate"], "run the command again to complete the rotation"],
  [["migrate", "--finish"], "each step was done completely or not at all"],
])("%j says how to go on, and goes on", async (words, message) => {
  const { folder } = await demoFolder();
  const first = await commandLine({ folder, interruptAfter: 0 })(words);
  expect(first).toMatchObject({ exitCode: 130, stdout: "" });
  expect(first.stderr).toContain("secplat: interrupted; ");
  expect(first.stderr).toContain(message);
  expect(await commandLine({ folder })(words)).toMatchObject({ exitCode: 0, stderr: "" });
});

test.each([
  [130, "secplat: interrupted; nothing has changed\n"],
  // Nobody reads the output any more.
  [0, ""],
])("an end with %i says %j", async (exitCode, said) => {
  const controller = new AbortController();
  let stderr = "";
  const context = {
    ...silentContext,
    stderr: { write: (text: string) => (stderr += text) },
    interruption: () => controller.signal,
  };
  controller.abort(new SilentExit(exitCode));
  const state = () => "nothing has changed";
  const working = interruptible(context, { state }, async (signal) => signal.throwIfAborted());
  await expect(working).rejects.toMatchObject({ exitCode });
  expect(stderr).toBe(said);
});

test("work that waits is left after a while", async () => {
  const controller = new AbortController();
  const endSoon = vi.fn();
  const context = { ...silentContext, endSoon, interruption: () => controller.signal };
  const working = interruptible(
    context,
    { state: () => "nothing has changed", patience: 1 },
    () => new Promise(() => undefined),
  );
  controller.abort(new SilentExit(143));
  await expect(working).rejects.toThrow("ended with 143");
  expect(endSoon).toHaveBeenCalledOnce();
});
