/** @module-tag exhaustive */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { programArguments } from "./support/programs.ts";
import { child, filterOf, newStore, now, queryOf } from "./support/store.ts";
import { sightings } from "./support/sightings.ts";
import { boundByPermissions, testWith } from "../../../testing/platform.ts";

forEachEngine((engine) => {
  test("acknowledged writes survive kill -9, and the others are complete or missing", async () => {
    const { store, url } = await newStore(engine);
    await store.close();
    const writer = run(await writing(url, "0"));
    const acknowledged: string[] = [];
    for await (const line of linesOf(writer)) {
      acknowledged.push(line);
      if (acknowledged.length === 40) writer.kill("SIGKILL");
    }
    const again = await openStoreAt({ url, clock: new ManualClock(), resources: [sightings] });
    const records = again.records(sightings, { cid: child });
    const page = await records.page(queryOf("", { offset: 0 }));
    expect(page.items.slice(0, acknowledged.length)).toEqual(acknowledged);
    // The process may be killed after a commit and before it prints the line.
    expect((page.total ?? 0) - acknowledged.length).toBeLessThanOrEqual(1);
    const more = acknowledged.length + 1;
    const next = run(await writing(url, String(more), "3"));
    expect(await all(linesOf(next))).toHaveLength(3);
    await again.close();
  });

  test("two processes write to one database at the same time", async () => {
    const { store, url } = await newStore(engine);
    const writers = [await writing(url, "0", "25"), await writing(url, "1000", "25")].map(run);
    const lines = await Promise.all(writers.map((writer) => all(linesOf(writer))));
    expect(lines.map(({ length }) => length)).toEqual([25, 25]);
    expect(await store.records(sightings, { cid: child }).count(filterOf(""), now)).toBe(50);
  });

  if (engine.name === "postgres") return;
  testWith("ulimit")(
    "a full disk rejects the write that does not fit, and keeps all others",
    async () => {
      const { store, url } = await newStore(engine);
      await store.close();
      // A limit on file sizes simulates a small disk.
      const command = `ulimit -f 2000 && exec "$0" "$@"`;
      const writer = run(["sh", "-c", command, ...(await writing(url, "0"))]);
      const lines = await all(linesOf(writer));
      expect(lines.at(-1)).toMatch(/^StoreError: database .*test\.db: the disk/);
      const again = await openStoreAt({ url, clock: new ManualClock(), resources: [sightings] });
      const acknowledged = lines.length - 1;
      expect(acknowledged).toBeGreaterThan(10);
      const records = again.records(sightings, { cid: child });
      expect(await records.count(filterOf(""), now)).toBe(acknowledged);
      await again.close();
    },
  );

  testWith("permission bits")("a read-only database is rejected and not changed", async () => {
    const { store, url } = await newStore(engine);
    await store.close();
    const path = url.slice("sqlite:".length);
    const before = readFileSync(path);
    chmodSync(path, 0o444);
    chmodSync(dirname(path), 0o555);
    const writer = run([...boundByPermissions(), ...(await writing(url, "0", "1"))]);
    const lines = await all(linesOf(writer));
    chmodSync(dirname(path), 0o755);
    expect(lines).toEqual([expect.stringMatching(/^StoreError: database .*test\.db: it /)]);
    expect(lines[0]).toMatch(/may write/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

/** The command of a process that writes to a database. */
const writing = async (...words: readonly string[]): Promise<readonly string[]> => [
  process.execPath,
  ...(await programArguments("write-until-killed", ...words)),
];

function run([command = "", ...rest]: readonly string[]): ChildProcess {
  return spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Resolves when the process has ended. */
async function* linesOf(process: ChildProcess): AsyncGenerator<string> {
  const ended = once(process, "close");
  if (process.stdout === null) throw new TypeError("the process has no output");
  yield* createInterface(process.stdout);
  await ended;
}

async function all(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const read: string[] = [];
  for await (const line of lines) read.push(line);
  return read;
}
