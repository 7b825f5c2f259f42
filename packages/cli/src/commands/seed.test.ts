/** @module-tag exhaustive */
import { expect, test } from "vitest";
import { commandLine } from "../testing/command-line.ts";
import { seededFolder } from "../testing/prepared-folder.ts";

const nightly = { tags: ["nightly"] };

test("fills a database, and does not change the records of an earlier seed", async () => {
  const { folder, value: first } = await seededFolder();
  const secplat = commandLine({ folder });
  expect(first).toMatchObject({ world: "small", seed: 1 });
  expect(first.indicators).toBeGreaterThan(0);
  expect(await secplat.json(["seed"])).toEqual(first);
  expect(await secplat.json(["tenants", "list"])).toHaveLength(first.tenants.length);
});

test("prints a summary, and shows progress on a terminal", nightly, async () => {
  const { stdout, stderr } = await commandLine({ terminal: true })(["seed", "--seed", "2"]);
  expect(stdout).toMatch(/^world {7}small, seed 2\ntenants {5}[0-9a-f]{32} /);
  expect(stderr).toContain("seeding small");
});

test.each(["small", "mssp"])(
  "says how to create a client in the world %s",
  nightly,
  async (world) => {
    const secplat = commandLine();
    const words = ["--data", "my data"];
    const { stdout } = await secplat(["seed", "--world", world, ...words]);
    const command = /^To create a client:\n\n {2}secplat (clients create .*)\n$/m.exec(stdout)?.[1];
    const line = (command ?? "").replace(" --data 'my data'", "").split(" ");
    expect(line).toEqual(["clients", "create", "my-client", "--tenant", expect.any(String)]);
    expect(command).toContain(" --data 'my data'");
    expect(await secplat([...line, ...words])).toMatchObject({ exitCode: 0, stderr: "" });
  },
);

test("names no command for a world in memory", async () => {
  const secplat = commandLine();
  const { stdout } = await secplat(["seed", "--database", "sqlite::memory:"]);
  expect(stdout).toContain("world");
  expect(stdout).not.toContain("client");
});
