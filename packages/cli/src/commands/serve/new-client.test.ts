import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { withStore } from "../../database/open.ts";
import { commandLine } from "../../testing/command-line.ts";
import { silentContext } from "../../testing/silent-context.ts";
import { testWith } from "../../../../../testing/platform.ts";
import { howToCreateClient } from "./new-client.ts";

type Place = Readonly<Record<"data" | "database" | "secretsKey", string>>;

/** The lines of a server on the database of a folder. */
const linesIn = (folder: string, place: Partial<Place> = {}): Promise<readonly string[]> => {
  const options = { data: ".data", ...place };
  return withStore(
    { ...options, create: true },
    { ...silentContext, workingFolder: folder },
    (store) => howToCreateClient(store, options, "secplat"),
  );
};

/** Runs what the lines say, as a person would. */
/** The words that the shell of this machine would pass on. */
function wordsOf(command: string): readonly string[] {
  if (process.platform === "win32") {
    return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? "",
    );
  }
  const line = `printf '%s\\0' ${command}`;
  return execFileSync("sh", ["-c", line], { encoding: "utf8" }).split("\0").slice(0, -1);
}

async function follow(
  secplat: ReturnType<typeof commandLine>,
  lines: readonly string[],
): Promise<void> {
  const commands = lines.filter((line) => line.startsWith("  secplat "));
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    const { exitCode, stderr } = await secplat(wordsOf(command).slice(1));
    expect([command, exitCode, stderr]).toEqual([command, 0, ""]);
  }
}

test("the commands for an empty database work, and so do those for one tenant and for several", async () => {
  const secplat = commandLine();
  const empty = await linesIn(secplat.folder);
  expect(empty.join("\n")).toContain("tenants create");
  await follow(secplat, empty);
  await follow(secplat, await linesIn(secplat.folder));
  expect((await secplat(["tenants", "create", "Second"])).exitCode).toBe(0);
  const several = await linesIn(secplat.folder);
  expect(several.join("\n")).toMatch(/clients create my-client --tenant [0-9a-f]{32}$/m);
  await follow(secplat, several);
});

test("the commands name a database in another place", async () => {
  const secplat = commandLine();
  const place = {
    data: "my data",
    database: "sqlite:other.sqlite",
    secretsKey: "own.key",
  };
  await follow(secplat, await linesIn(secplat.folder, place));
  expect(
    (
      await secplat.json<unknown[]>([
        "clients",
        "list",
        "--data",
        "my data",
        "--database",
        "sqlite:other.sqlite",
        "--secrets-key",
        "own.key",
      ])
    ).length,
  ).toBe(1);
});

testWith("POSIX shell")("the commands can be pasted whatever the name of the folder", async () => {
  for (const data of [`it's "my" $HOME`, "-rf", "`id`; #\\"]) {
    const secplat = commandLine();
    const place = { data, database: `sqlite:${data}.sqlite` };
    await follow(secplat, await linesIn(secplat.folder, place));
    const clients = ["clients", "list", "--data", data, "--database", place.database];
    expect((await secplat.json<unknown[]>(clients)).length).toBe(1);
  }
});

test("no command reaches a database in memory", async () => {
  const lines = await linesIn(commandLine().folder, { database: "sqlite::memory:" });
  expect(lines.join("\n")).toContain("without --no-demo");
});
