/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import { programArguments } from "./support/programs.ts";
import { sighting, sightings, timedSightings } from "./support/sightings.ts";
import { child, filterOf, newStore } from "./support/store.ts";

const jobs = 100;
const long = 6;
const due = 60;
/** Number of printed lines after which a process is killed. */
const kills = [12, 60, 120];

forEachEngine((engine) => {
  test("two processes that are killed repeatedly do each effect once", async () => {
    const { store, url } = await newStore(engine, [sightings, timedSightings]);
    const now = new Date();
    await store.write(child, async (transaction) => {
      for (let number = 0; number < jobs; number += 1) {
        const key = number % 3 === 0 ? { key: `key ${number % 4}` } : {};
        await transaction.enqueue({ kind: "once", payload: { number }, ...key }, now);
      }
      for (let number = 0; number < long; number += 1) {
        await transaction.enqueue({ kind: "steps", payload: { number } }, now);
      }
      const records = Array.from({ length: due }, (_, index) =>
        sighting(`s${index}`, { seen_at: new Date(now.getTime() + index * 20).toISOString() }),
      );
      await transaction.records(timedSightings).insert(records, now);
    });
    const lines: string[] = [];
    let killed = 0;
    const words = await programArguments("work-until-killed", url);
    const work = async (): Promise<void> => {
      const process = run(words);
      onTestFinished(() => void process.kill("SIGKILL"));
      const ended = once(process, "close");
      if (process.stdout === null) throw new TypeError("the process has no output");
      for await (const line of createInterface(process.stdout)) {
        lines.push(line);
        if (killed < kills.length && lines.length >= (kills[killed] ?? 0)) {
          killed += 1;
          process.kill("SIGKILL");
        }
      }
      const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
      if (signal === "SIGKILL") return work();
      expect(code).toBe(0);
    };
    await Promise.all([work(), work()]);

    expect(killed).toBe(kills.length);
    const expected = [
      ...Array.from({ length: jobs }, (_, number) => `job ${number}`),
      ...Array.from({ length: long * 5 }, (_, at) => `step ${Math.floor(at / 5)}.${at % 5}`),
      ...Array.from({ length: due }, (_, index) => `due s${index}`),
    ];
    const records = store.records(sightings, { cid: child });
    const effects: string[] = [];
    for await (const batch of records.scanComplete(filterOf(""), new Date())) {
      effects.push(...batch.map(({ note = "" }) => note));
    }
    expect(effects.toSorted()).toEqual(expected.toSorted());
    // All other effects of a job happen at least once, and were interrupted at least once.
    expect(new Set(lines)).toEqual(new Set(expected));
    expect(lines.length).toBeGreaterThan(expected.length);
    const left = await store.jobs.list({ limit: 1_000 });
    expect(left.filter(({ state }) => state !== "succeeded")).toEqual([]);
    expect(left.filter(({ attempts }) => attempts > 1)).not.toEqual([]);
  });
});

const run = (words: readonly string[]): ChildProcess =>
  spawn(process.execPath, words, {
    stdio: ["ignore", "pipe", "inherit"],
  });
