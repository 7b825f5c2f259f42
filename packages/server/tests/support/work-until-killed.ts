/**
 * A process that works on the queue of a database until every job has ended: `node
 * work-until-killed.ts <url>`. It prints a line in the middle of each attempt, before anything of
 * it is committed. The effects are sightings: each effect adds one whose note names it, so an
 * effect that happens twice is visible.
 */
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import { dueEffect } from "../../src/jobs/due-effect.ts";
import type { JobKind } from "../../src/jobs/job-kind.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import type { Transaction } from "../../src/store/types/types.ts";
import { sighting, sightings, timedSightings } from "./sightings.ts";
import { workUntilDone } from "./work-until-done.ts";

const url = process.argv[2] ?? "";
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const effect = (transaction: Transaction, note: string, now: Date) =>
  transaction.records(sightings).insert([sighting(randomUUID(), { note })], now);

const once: JobKind = {
  name: "once",
  attempts: 20,
  run: async ({ payload, now }) => {
    const note = `job ${String(payload["number"])}`;
    print(note);
    return { commit: async (transaction) => void (await effect(transaction, note, now)) };
  },
};

const steps: JobKind = {
  name: "steps",
  attempts: 20,
  run: async ({ payload, progress, write, now }) => {
    for (let step = Number(progress?.["done"] ?? 0); step < 5; step += 1) {
      const note = `step ${String(payload["number"])}.${step}`;
      print(note);
      await write((transaction) => effect(transaction, note, now), {
        progress: { done: step + 1 },
      });
    }
  },
};

const seen = dueEffect(timedSightings, "seen", async ({ record, transaction, now }) => {
  print(`due ${record.id}`);
  await effect(transaction, `due ${record.id}`, now);
});

const resources = [sightings, timedSightings];
const store = await openStoreAt({ url, clock: systemClock, resources });
await workUntilDone(store, [once, steps, seen]);
