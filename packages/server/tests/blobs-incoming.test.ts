/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { incomingName } from "../src/blobs/incoming.ts";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { forEachEngine } from "./support/engines.ts";
import { serve, temporaryFolder, type ServerProcess } from "./support/server-process.ts";

/** The process id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

test("remains of ended processes are removed, of others only those that are old", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secplat-blobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const incoming = join(folder, "incoming");
  const own = incomingName();
  const ended = own.replace(`-${process.pid}-`, `-${endedPid()}-`);
  const elsewhere = (name: string) => name.replace(/[0-9a-f]{16}/, "0".repeat(16));
  const names = [own, ended, elsewhere(own), elsewhere(ended)];
  for (const name of names) {
    mkdirSync(join(incoming, name), { recursive: true });
    writeFileSync(join(incoming, name, "0"), "half");
    // A write to a file in a folder does not change the time of the folder.
    utimesSync(join(incoming, name), new Date(0), new Date(0));
  }
  const blobs = new LocalBlobs(folder);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await blobs.clear(hourAgo);
  expect(readdirSync(incoming).toSorted()).toEqual(
    names.filter((name) => name !== ended).toSorted(),
  );
  utimesSync(join(incoming, elsewhere(own), "0"), new Date(0), new Date(0));
  await blobs.clear(hourAgo);
  expect(readdirSync(incoming).toSorted()).toEqual([own, elsewhere(ended)].toSorted());
});

const template = "format: 1\ntemplate:\n  name: A\n";

/** Starts an upload, and leaves its file incomplete. */
function startUpload({ url, token }: ServerProcess): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const form = [
    '--b\r\ncontent-disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n',
    `--b\r\ncontent-disposition: form-data; name="file"; filename="a.yaml"\r\n\r\n${template}`,
  ].join("");
  socket.write(
    `POST /casemgmt/entities/templates/import/v1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      "content-type: multipart/form-data; boundary=b\r\nconnection: close\r\n" +
      `content-length: ${form.length + rest.length}\r\n\r\n${form}`,
  );
  return socket;
}

const rest = "\r\n--b--\r\n";

forEachEngine((engine) => {
  test("a start removes the uploads of a killed server, and not those of another", async () => {
    const folder = temporaryFolder();
    const options = { folder, databaseUrl: await engine.url(), words: ["--no-jobs"] };
    const uploads = (): readonly string[] => {
      const incoming = join(folder, "blobs", "incoming");
      return readdirSync(folder).includes("blobs") ? readdirSync(incoming) : [];
    };
    const expectUploads = (count: number) =>
      expect.poll(uploads, { timeout: 60_000 }).toHaveLength(count);
    const first = await serve(options);
    startUpload(first);
    await expectUploads(1);
    await first.end("SIGKILL");
    expect(uploads()).toHaveLength(1);
    const second = await serve(options);
    expect(uploads()).toEqual([]);
    const upload = startUpload(second);
    await expectUploads(1);
    // Servers that share files have data folders of their own.
    const words = [...options.words, "--files", `file:${join(folder, "blobs")}`];
    await serve({ ...options, folder: temporaryFolder(), words });
    expect(uploads()).toHaveLength(1);
    const answered = new Promise<string>((resolve) => {
      upload.once("data", (data: Buffer) => resolve(data.toString()));
    });
    upload.write(rest);
    expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
    await expectUploads(0);
  });
});
