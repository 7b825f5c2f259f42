import { expect, test } from "vitest";
import type { JobKind } from "../src/jobs/job-kind.ts";
import { platformCid } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { anotherStore, latch, noting, workerOf } from "./support/jobs.ts";
import { days, minutes } from "./support/manual-clock.ts";
import { newStore } from "./support/store.ts";

forEachEngine((engine) => {
  test("a scheduled kind runs once per interval with any number of processes", async () => {
    const { store, clock, url } = await newStore(engine);
    const instants: string[] = [];
    const kind: JobKind = {
      ...noting("tidy", instants, (job) => job.now.toISOString()),
      everyMilliseconds: minutes(5),
    };
    const workers = [
      workerOf({ store, clock }, [kind]),
      workerOf({ store: await anotherStore({ url }, clock), clock }, [kind]),
    ];
    const drain = () => Promise.all(workers.map((worker) => worker.drain()));
    await drain();
    expect(instants).toEqual([]);
    clock.advance(minutes(5));
    await drain();
    clock.advance(minutes(4));
    await drain();
    clock.advance(minutes(1));
    await drain();
    expect(instants).toEqual(["2026-03-01T12:05:00.000Z", "2026-03-01T12:10:00.000Z"]);
    expect(await store.jobs.list({ limit: 10 })).toMatchObject([
      { kind: "tidy", cid: platformCid, state: "succeeded", key: "schedule/tidy" },
      { kind: "tidy", state: "succeeded" },
    ]);
  });

  test("missed intervals are made up for by one run", async () => {
    const { store, clock, url } = await newStore(engine);
    const instants: string[] = [];
    const kind: JobKind = {
      ...noting("tidy", instants, (job) => job.now.toISOString()),
      everyMilliseconds: minutes(5),
    };
    await workerOf({ store, clock }, [kind]).drain();
    clock.advance(days(30));
    const restarted = workerOf({ store: await anotherStore({ url }, clock), clock }, [kind]);
    await restarted.drain();
    expect(instants).toEqual([clock.now().toISOString()]);
    clock.advance(minutes(5));
    await restarted.drain();
    expect(instants).toHaveLength(2);
  });

  test("a job that takes longer than its interval never runs concurrently with itself", async () => {
    const { store, clock, url } = await newStore(engine);
    const [started, gate] = [latch(), latch()];
    let runs = 0;
    const kind: JobKind = {
      name: "slow",
      everyMilliseconds: minutes(5),
      run: async (job) => {
        runs += 1;
        started.open();
        await gate.opened;
        await job.report({});
      },
    };
    const worker = workerOf({ store, clock }, [kind], { leaseMilliseconds: days(1) });
    const other = workerOf({ store: await anotherStore({ url }, clock), clock }, [kind]);
    await worker.drain();
    clock.advance(minutes(5));
    const done = worker.drain();
    await started.opened;
    clock.advance(minutes(6));
    expect(await other.drain()).toBe(0);
    expect(runs).toBe(1);
    gate.open();
    await done;
    clock.advance(minutes(5));
    await other.drain();
    expect(runs).toBe(2);
  });

  test("the interval of a newer version applies", async () => {
    const { store, clock } = await newStore(engine);
    const instants: string[] = [];
    const kind = noting("tidy", instants, (job) => job.now.toISOString());
    await workerOf({ store, clock }, [{ ...kind, everyMilliseconds: days(1) }]).drain();
    const newer = workerOf({ store, clock }, [{ ...kind, everyMilliseconds: minutes(1) }]);
    await newer.drain();
    clock.advance(minutes(1));
    await newer.drain();
    expect(instants).toEqual([clock.now().toISOString()]);
  });
});
