/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { startTestApi } from "./support/api.ts";
import { endLeases } from "./support/end-leases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  download,
  exportOf,
  launch,
  readCsv,
  storeVulnerabilities,
  vulnerability,
} from "./support/exports.ts";
import { programArguments } from "./support/programs.ts";
import { temporaryFolder } from "./support/server-process.ts";

const rows = 2_500;
/** Two resources with the same rows, so that two exports can run at a time. */
const resources = [
  "images.vulnerabilities",
  "images.images-assessment-vulnerabilities-expanded",
] as const;
const exportCount = 4;
/** Number of printed lines after which a process is killed. */
const kills = [3, 14];
/** Parts of a file with that many rows: two each of the header, the two batches of rows and the end. */
const parts = 8;

withPostgresAtNight((engine) => {
  async function open() {
    const folder = join(temporaryFolder(), "blobs");
    const databaseUrl = await engine.url();
    const api = await startTestApi({ databaseUrl, blobs: new LocalBlobs(folder) });
    const stored = Array.from({ length: rows }, (_, number) => vulnerability(number));
    await storeVulnerabilities(api.store, api.tenant.cid, stored, api.clock.now());
    const ids: string[] = [];
    for (let number = 0; number < exportCount; number += 1) {
      const resource = resources[number % 2] ?? resources[0];
      const expand = resource === "images.vulnerabilities" ? { expand_vulnerabilities: true } : {};
      ids.push(await launch(api, { resource, format: "csv", sort: "tag", ...expand }));
    }
    const lines: string[] = [];
    let killed = 0;
    const words = await programArguments("export-until-killed", databaseUrl, folder);
    /** Works in a separate process; when it is killed, in another one. */
    const work = async (): Promise<void> => {
      const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const ended = once(child, "close");
      for await (const line of createInterface(child.stdout)) {
        lines.push(line);
        if (killed < kills.length && lines.length >= (kills[killed] ?? 0)) {
          killed += 1;
          child.kill("SIGKILL");
        }
      }
      const [code, signal] = (await ended) as [number | null, string | null];
      if (signal === "SIGKILL") {
        await endLeases(api.store, databaseUrl, child.pid);
        return work();
      }
      expect(code).toBe(0);
    };
    const files = () =>
      Promise.all(
        ids.map(async (id) => {
          expect(await exportOf(api, id)).toMatchObject({ status: "DONE" });
          return (await download(api, id)).text();
        }),
      );
    const jobs = () => api.store.jobs.list({ limit: 100, kind: "exports.write" });
    return { api, ids, lines, work, files, jobs, killed: () => killed };
  }

  test("two processes that are killed while writing write each file once", async () => {
    const { api, ids, lines, work, files, jobs, killed } = await open();
    await Promise.all([work(), work()]);
    expect(killed()).toBe(kills.length);
    const [file = "", ...others] = await files();
    expect(new Set(others)).toEqual(new Set([file]));
    const tags = readCsv(file)
      .slice(1)
      .map((cells) => cells.at(-1) ?? "");
    expect(tags).toHaveLength(rows);
    expect(tags).toEqual(tags.toSorted());
    const ended = await jobs();
    expect(ended.map(({ state }) => state)).toEqual(ids.map(() => "succeeded"));
    // Only the next attempt starts the file again.
    const attempts = ended.reduce((sum, job) => sum + job.attempts, 0);
    const begun = lines.filter((line) => line.endsWith("part 0")).length;
    expect(attempts).toBeGreaterThan(exportCount);
    expect(begun).toBeLessThanOrEqual(attempts);
    expect(lines.length).toBeGreaterThan(exportCount * parts);
    const retries = await Promise.all(ids.map(async (id) => (await exportOf(api, id)).retries));
    expect(retries.toSorted()).toEqual(ended.map((job) => job.attempts - 1).toSorted());
  });
});
