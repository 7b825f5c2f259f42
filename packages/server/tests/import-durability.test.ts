/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { where, type Predicate } from "@security-platform/fql";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../src/foundation/clock.ts";
import { everyCase } from "../src/domain/case-management/access-tags/reader.ts";
import { cases, type StoredCase } from "../src/domain/case-management/kinds/cases.ts";
import { importRecords } from "../src/imports/index.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { createBareTenant, describeTenant } from "./support/bare-tenant.ts";
import { forEachEngine } from "./support/engines.ts";
import { temporaryFolder } from "./support/server-process.ts";
import { secplatArguments } from "../../../testing/secplat.ts";

const caseCount = 1_000;
/** Cases are imported in transactions of 200. */
const importBatch = 200;
/** Cases are analysed in transactions of 50. */
const analysisBatch = 50;
/** Milliseconds until a job of a killed command is free. */
const lease = 3_000;

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;

function alertLines(name: string): readonly string[] {
  const timestamp = "2026-03-01T10:00:00Z";
  return Array.from({ length: 10 }, (_, number) =>
    JSON.stringify({ id: `alert-${number}`, timestamp, name }),
  );
}

function* caseLines(): Iterable<object> {
  for (let number = 1; number <= caseCount; number += 1) {
    const alerts = [{ id: `alert-${number % 10}` }];
    yield {
      id: idOf(number),
      name: "Emberfall",
      severity: 50,
      tags: ["kept"],
      evidence: { alerts },
    };
  }
}

forEachEngine((engine) => {
  test("kill -9 during an import neither loses nor duplicates records; repeating it completes it", async () => {
    const databaseUrl = await engine.url();
    const folder = temporaryFolder();
    const store = await openStoreAt({ url: databaseUrl, clock: systemClock, resources });
    onTestFinished(() => store.close());
    const tenant = describeTenant(systemClock, "Acme");
    const { cid } = tenant;
    await createBareTenant(store, tenant);
    const stored = store.records(cases, everyCase(cid));
    const countStored = (predicate: Predicate = where.everything) =>
      stored.count(predicate, systemClock.now());

    const alerts = alertLines("Nightjar");
    await importRecords(store, { cid, kind: "alerts", clock: systemClock, lines: alerts });
    const start = (...words: readonly string[]) => {
      const all = ["import", ...words, "--tenant", cid, "--data", folder, "--json"];
      const child = spawn(process.execPath, [...secplatArguments, ...all], {
        env: { ...process.env, SECPLAT_DATABASE: databaseUrl },
        stdio: ["pipe", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      // Fails when the process is killed.
      child.stdin.on("error", () => undefined);
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
      const ended = new Promise<string | null>((resolve) => {
        child.once("close", (code) => resolve(code === 0 ? printed : null));
      });
      return { child, ended };
    };

    const lines = [...caseLines()].map((line) => `${JSON.stringify(line)}\n`);
    const file = join(folder, "cases.ndjson");
    writeFileSync(file, lines.join(""));
    const killAfterFirst = async ({ child, ended }: ReturnType<typeof start>, done: Predicate) => {
      await expect.poll(() => countStored(done), { timeout: 60_000 }).toBeGreaterThan(0);
      child.kill("SIGKILL");
      expect(await ended).toBeNull();
    };
    // Killed in the second or a later transaction. The last one cannot begin, as a line is missing.
    const first = start("cases", "-");
    first.child.stdin.write(lines.slice(0, -1).join(""));
    await killAfterFirst(first, where.everything);
    const before = await countStored();
    expect(before % importBatch).toBe(0);
    expect(before).toBeLessThan(caseCount);
    expect(JSON.parse((await start("cases", file).ended) ?? "null")).toMatchObject({
      imported: caseCount - before,
      unchanged: before,
      rejected: 0,
    });

    const readAll = async (): Promise<readonly StoredCase[]> => {
      const all: StoredCase[] = [];
      for await (const part of stored.scanComplete(where.everything, systemClock.now())) {
        all.push(...part);
      }
      return all;
    };
    const all = await readAll();
    const expected = Array.from({ length: caseCount }, (_, index) => index + 1);
    expect(all.map(({ id }) => id).toSorted()).toEqual(expected.map(idOf).toSorted());
    expect(all.map((each) => Number(each.reference_id.slice(4))).toSorted((a, b) => a - b)).toEqual(
      expected,
    );
    // Also the elements and the words of every case.
    expect(await countStored(where.equal("tags", "kept"))).toBe(caseCount);
    expect(await countStored(where.anyOf("alerts", ["alert-3"]))).toBe(caseCount / 10);
    expect(await countStored(where.words("all_text", ["emberfall"]))).toBe(caseCount);

    // The analysis of the cases that have changed alerts.
    const changed = alertLines("Kestrel").slice(0, 9);
    const count = (caseCount * changed.length) / alerts.length;
    const alertFile = join(folder, "alerts.ndjson");
    writeFileSync(alertFile, `${changed.join("\n")}\n`);
    const renamed = where.words("all_text", ["kestrel"]);
    await killAfterFirst(start("alerts", alertFile, "--update"), renamed);
    const analysed = await countStored(renamed);
    expect(analysed % analysisBatch).toBe(0);
    expect(analysed).toBeLessThan(count);
    const repeat = {
      cid,
      kind: "alerts",
      clock: { now: () => new Date(Date.now() + lease) },
      lines: changed,
      update: true,
    } as const;
    expect(await importRecords(store, repeat)).toMatchObject({ updated: 0, unchanged: 9 });
    expect(await countStored(renamed)).toBe(count);
    expect(await countStored(where.words("all_text", ["nightjar"]))).toBe(caseCount - count);
    const versions = (await readAll()).map(({ version, consistency }) => [
      version,
      consistency.version,
    ]);
    expect(versions.filter(([version, analyses]) => version === 2 && analyses === 2)).toHaveLength(
      count,
    );
    expect(versions.filter(([version, analyses]) => version === 1 && analyses === 1)).toHaveLength(
      caseCount - count,
    );
  });
});
