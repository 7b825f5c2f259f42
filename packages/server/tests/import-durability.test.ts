import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { where, type Predicate } from "@security-platform/fql";
import { expect, onTestFinished, test } from "vitest";
import { createTenant } from "../src/catalogue/index.ts";
import { systemClock } from "../src/clock.ts";
import { everyCase } from "../src/domain/case-management/access-tags/reader.ts";
import { cases, type StoredCase } from "../src/domain/case-management/cases/cases.ts";
import { newIdentifier } from "../src/identifiers.ts";
import { importRecords } from "../src/imports/index.ts";
import { resources } from "../src/resources.ts";
import { openStore } from "../src/store/index.ts";
import { forEachEngine } from "./support/engines.ts";
import { temporaryFolder } from "./support/server-process.ts";
import { secplatArguments } from "../../../testing/secplat.ts";

const caseCount = 2_500;

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;

function* alertLines(): Iterable<object> {
  for (let number = 0; number < 10; number += 1) {
    yield { id: `alert-${number}`, timestamp: "2026-03-01T10:00:00Z", name: `Alert ${number}` };
  }
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
    const store = await openStore({ url: databaseUrl, clock: systemClock, resources });
    onTestFinished(() => store.close());
    const cid = newIdentifier();
    const created_at = systemClock.now().toISOString();
    await createTenant(store, systemClock, { cid, name: "Acme", parent_cid: null, created_at });
    const stored = store.records(cases, everyCase(cid));
    const found = (predicate: Predicate = where.everything) =>
      stored.count(predicate, systemClock.now());

    const alerts = [...alertLines()].map((line) => JSON.stringify(line));
    await importRecords(store, { cid, kind: "alerts", clock: systemClock, lines: alerts });
    const start = (file: string) => {
      const words = ["import", "cases", file, "--tenant", cid, "--data", folder, "--json"];
      const child = spawn(process.execPath, [...secplatArguments, ...words], {
        env: { ...process.env, SECPLAT_DATABASE: databaseUrl },
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
      const ended = new Promise<string | null>((resolve) => {
        child.once("close", (code) => resolve(code === 0 ? printed : null));
      });
      return { child, ended };
    };

    const lines = [...caseLines()].map((line) => JSON.stringify(line));
    const file = join(folder, "cases.ndjson");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const first = start(file);
    // Killed in the second or a later transaction.
    while ((await found()) === 0) {
      expect(first.child.exitCode).toBeNull();
      // oxlint-disable-next-line no-await-in-loop -- leaves the processor to the child
      await setTimeout(10);
    }
    first.child.kill("SIGKILL");
    expect(await first.ended).toBeNull();
    const before = await found();
    // Cases are imported in transactions of 200.
    expect(before % 200).toBe(0);
    expect(before).toBeLessThan(caseCount);
    expect(JSON.parse((await start(file).ended) ?? "null")).toMatchObject({
      imported: caseCount - before,
      unchanged: before,
      rejected: 0,
    });

    const all: StoredCase[] = [];
    for await (const part of stored.scanComplete(where.everything, systemClock.now())) {
      all.push(...part);
    }
    const expected = Array.from({ length: caseCount }, (_, index) => index + 1);
    expect(all.map(({ id }) => id).toSorted()).toEqual(expected.map(idOf).toSorted());
    expect(all.map((each) => Number(each.reference_id.slice(4))).toSorted((a, b) => a - b)).toEqual(
      expected,
    );
    // The elements and the words of every case, too.
    expect(await found(where.equal("tags", "kept"))).toBe(caseCount);
    expect(await found(where.anyOf("alerts", ["alert-3"]))).toBe(caseCount / 10);
    expect(await found(where.words("all_text", ["emberfall"]))).toBe(caseCount);
  });
});
