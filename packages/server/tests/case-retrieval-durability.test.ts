/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { HostDirectories } from "../src/host-files/host-directories.ts";
import { startTestApi } from "./support/api.ts";
import { filePaths, openSession, type FileDetail } from "./support/case-files.ts";
import { sha256 } from "./support/sha256.ts";
import { endLeases } from "./support/end-leases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { programArguments } from "./support/programs.ts";
import { temporaryFolder } from "./support/server-process.ts";
import { openBaseSession } from "./support/session.ts";

const aid = "a".repeat(32);
const content = new Uint8Array(randomBytes(500_000));

/** The point where a process is killed, and the expected visible state. */
const kills = [
  ["found", { status: "requested" }],
  ["half", { status: "metadata", file_size_bytes: content.length }],
  ["stored", { status: "metadata", file_size_bytes: content.length }],
] as const;

withPostgresAtNight((engine) => {
  test("after kill -9 at any stage of a retrieval, the next process completes it once", async () => {
    const databaseUrl = await engine.url();
    const [hosts, blobsFolder] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(hosts, aid, "var"), { recursive: true });
    writeFileSync(join(hosts, aid, "var", "dump.bin"), content);
    const server = await startTestApi({
      databaseUrl,
      blobs: new LocalBlobs(blobsFolder),
      hostFiles: new HostDirectories(hosts),
      // The processes use the system clock.
      clock: new ManualClock(new Date().toISOString()),
    });
    const api = openSession(await openBaseSession(server, "tenant"), 1);
    await api.imported("hosts", [
      { device_id: aid, hostname: "h", platform_name: "Linux", last_seen: "2026-02-10T10:00:00Z" },
    ]);
    const { id: case_id } = await api.stored();
    const requested = await api.request<readonly FileDetail[]>("POST", filePaths.retrieve, {
      body: { case_id, aid, file_path: "/var/dump.bin" },
    });
    expect(requested.status, requested.text).toBe(200);
    const [{ id } = { id: "" }] = requested.body;

    const work = async (stage: string): Promise<string | number | null> => {
      const all = [databaseUrl, blobsFolder, hosts, stage];
      const words = await programArguments("retrieve-until-killed", ...all);
      const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      if (signal === "SIGKILL") await endLeases(server.store, databaseUrl, child.pid);
      return signal ?? code;
    };
    for (const [stage, seen] of kills) {
      expect(await work(stage), stage).toBe("SIGKILL");
      const file = await api.file(id);
      expect(file, stage).toMatchObject(seen);
      expect(file.hash_value, stage).toBeUndefined();
      const link = await api.request("GET", filePaths.download, { query: { id } });
      expect(link.status, stage).toBe(409);
    }
    expect(await work("")).toBe(0);

    expect(await api.listed(`case_id:'${case_id}'`)).toEqual([
      { ...requested.body[0], ...(await api.file(id)), status: "available" },
    ]);
    expect(await api.file(id)).toMatchObject({
      hash_value: sha256(content),
      file_size_bytes: content.length,
    });
    const fetched = await fetch(await api.link(id));
    expect(sha256(new Uint8Array(await fetched.arrayBuffer()))).toBe(sha256(content));
    const jobs = await server.store.jobs.list({ limit: 10, kind: "case-files.retrieve" });
    expect(jobs).toMatchObject([{ state: "succeeded", attempts: kills.length + 1 }]);
  });
});
