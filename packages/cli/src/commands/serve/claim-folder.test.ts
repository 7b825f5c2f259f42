import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { announceServer } from "../../api/running-server.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { claimFolder } from "./claim-folder.ts";

const claim = (folder: string, database?: string) =>
  claimFolder({ data: ".data", ...(database === undefined ? {} : { database }) }, {
    workingFolder: folder,
  } as CliContext);

/** The URL of a port that accepts connections. */
async function listening(): Promise<string> {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function announce(folder: string, url: string, process_id: number): void {
  mkdirSync(join(folder, ".data"), { recursive: true });
  announceServer(join(folder, ".data"), { url, process_id, ca_file: null });
}

test("a folder belongs to one server at a time", async () => {
  const folder = temporaryFolder();
  const lock = await claim(folder);
  await expect(claim(folder)).rejects.toThrow(
    `${join(folder, ".data")} is in use by another process; stop it, or choose another folder with --data`,
  );
  (await claim(folder, "sqlite::memory:")).release();
  lock.release();
  (await claim(folder)).release();
});

test("a refusal names the URL and the process of the server", async () => {
  const folder = temporaryFolder();
  const url = await listening();
  // The parent process lives.
  announce(folder, url, process.ppid);
  const lock = join(folder, ".data", "server.lock");
  await expect(claim(folder)).rejects.toThrow(
    `is in use by the server at ${url} (process ${process.ppid}); stop it`,
  );
  await expect(claim(folder, "postgres://host/name")).rejects.toThrow(
    new RegExp(`${url} .* with --data, and the files of its database with --files$`),
  );
  // The refused one has no lock.
  expect(existsSync(lock)).toBe(true);
  announce(folder, url, process.pid);
  (await claim(folder)).release();
});

test.each([
  ["of a process that has ended", "http://127.0.0.1:9", 2 ** 30],
  ["of this process number before a restart, as in a container", "http://127.0.0.1:9", process.pid],
  ["whose process number belongs to another program", "http://127.0.0.1:9", process.ppid],
])("an announcement %s does not matter", async (_, url, processId) => {
  const folder = temporaryFolder();
  announce(folder, url, processId);
  (await claim(folder)).release();
});

test("servers beside PostgreSQL take no lock", async () => {
  const folder = temporaryFolder();
  const locks = [
    await claim(folder, "postgres://host/name"),
    await claim(folder, "postgres://x/y"),
  ];
  for (const lock of locks) lock.release();
  expect(existsSync(join(folder, ".data", "server.lock"))).toBe(false);
});

test("a folder without room for a lock is not refused", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".data", "server.lock"), { recursive: true });
  (await claim(folder)).release();
});
