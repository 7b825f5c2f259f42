import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { JobKind, RunningJob } from "../src/jobs/job-kind.ts";
import { LeaseLostError } from "../src/store/types/errors.ts";
import { forEachEngine } from "./support/engines.ts";
import { anotherStore, enqueue, jobOf, latch, workerOf } from "./support/jobs.ts";
import { minutes, seconds } from "./support/manual-clock.ts";
import { sighting, sightings } from "./support/sightings.ts";
import { child, filterOf, newStore, now } from "./support/store.ts";

/** Inserts sightings with the payload's name, `by` a worker, when `go` is resolved. */
const insertingAfter = (
  by: string,
  { started, go }: { readonly started: (job: RunningJob) => void; readonly go: Promise<void> },
): JobKind => ({
  name: "insert",
  run: async (job) => {
    started(job);
    await go;
    return {
      commit: async (transaction) => {
        await transaction.records(sightings).insert([sighting(by)], job.now);
      },
    };
  },
});

forEachEngine((engine) => {
  /** One worker holds a job until `open`, and another one on the same database. */
  async function heldJob() {
    const { store, clock, url } = await newStore(engine);
    const second = await anotherStore({ url }, clock);
    const gate = latch();
    const started = Promise.withResolvers<RunningJob>();
    const [id] = await enqueue(store, { kind: "insert", now });
    const slow = insertingAfter("slow", { started: started.resolve, go: gate.opened });
    const quick = insertingAfter("quick", { started: () => undefined, go: Promise.resolve() });
    const [worker, other] = [
      workerOf({ store, clock }, [slow]),
      workerOf({ store: second, clock }, [quick]),
    ];
    const done = worker.drain();
    const running = await started.promise;
    const inserted = async () =>
      (
        await store.records(sightings, { cid: child }).page({
          predicate: filterOf(""),
          sort: [],
          limit: 10,
          shape: "ids",
          now,
        })
      ).items;
    const job = () => jobOf(store, id);
    return { clock, worker, other, running, done, open: gate.open, job, inserted };
  }

  test("a job without heartbeat goes to another process, and the first one's effect is rolled back", async () => {
    const { clock, other, done, open, job, inserted } = await heldJob();
    expect(await other.drain()).toBe(0);
    clock.advance(minutes(1));
    expect(await other.drain()).toBe(1);
    expect(await job()).toMatchObject({ state: "succeeded", attempts: 2 });
    open();
    await done;
    expect(await inserted()).toEqual(["quick"]);
    expect(await job()).toMatchObject({ state: "succeeded", attempts: 2, error: null });
  });

  test("while the lease is renewed, no other process gets the job", async () => {
    const { clock, other, running, done, open, inserted } = await heldJob();
    for (let renewal = 0; renewal < 5; renewal += 1) {
      clock.advance(seconds(50));
      await running.report({ renewal });
      expect(await other.drain()).toBe(0);
    }
    open();
    await done;
    expect(await inserted()).toEqual(["slow"]);
  });

  test("a worker renews the leases of its running jobs", async () => {
    const { store, clock } = await newStore(engine);
    let id: number | undefined;
    const kind: JobKind = {
      name: "long",
      run: async () => {
        const first = (await jobOf(store, id)).run_at;
        clock.advance(seconds(1));
        while ((await jobOf(store, id)).run_at === first) await setImmediate();
      },
    };
    [id] = await enqueue(store, { kind: "long", now });
    await workerOf({ store, clock }, [kind], { leaseMilliseconds: 30 }).drain();
    expect(await jobOf(store, id)).toMatchObject({ state: "succeeded", attempts: 1 });
  });

  test("a stop waits for running jobs", async () => {
    const { worker, done, open, job, inserted } = await heldJob();
    const stopped = worker.stop(60_000);
    open();
    await stopped;
    await done;
    expect(await job()).toMatchObject({ state: "succeeded", attempts: 1 });
    expect(await inserted()).toEqual(["slow"]);
  });

  test("a stop that waits too long returns the job, as if it had not been started", async () => {
    const { worker, other, done, open, job, inserted } = await heldJob();
    await worker.stop(0);
    expect(await job()).toMatchObject({ state: "queued", attempts: 0, run_at: now.toISOString() });
    expect(await other.drain()).toBe(1);
    open();
    await done;
    expect(await inserted()).toEqual(["quick"]);
    expect(await job()).toMatchObject({ state: "succeeded", attempts: 1 });
  });

  test("a long job reports progress, and writes step by step while it holds the lease", async () => {
    const { store, clock } = await newStore(engine);
    const running: RunningJob[] = [];
    const kind: JobKind = {
      name: "steps",
      run: async (job) => {
        running.push(job);
        const step = (id: string) =>
          job.write((transaction) =>
            transaction.records(sightings).insert([sighting(id)], job.now),
          );
        await step("first");
        await job.report({ done: 1, total: 2 });
        clock.advance(minutes(2));
        // In the meantime another process takes over the job.
        const claim = { kinds: ["steps"], limit: 1, worker: "other", now: clock.now() };
        const leaseUntil = new Date(clock.now().getTime() + minutes(1));
        expect(await store.jobs.claim({ ...claim, leaseUntil })).toHaveLength(1);
        await expect(step("second")).rejects.toThrow(LeaseLostError);
        await expect(job.report({ done: 2, total: 2 })).rejects.toThrow(LeaseLostError);
        expect(job.signal.aborted).toBe(true);
      },
    };
    const [id] = await enqueue(store, { kind: "steps", now });
    await workerOf({ store, clock }, [kind]).drain();
    expect(running).toHaveLength(1);
    expect(await jobOf(store, id)).toMatchObject({
      state: "running",
      attempts: 2,
      worker: "other",
      progress: { done: 1, total: 2 },
    });
    expect(await store.records(sightings, { cid: child }).count(filterOf(""), now)).toBe(1);
  });

  test("a job that repeatedly kills its process is dead in the end", async () => {
    const { store, clock } = await newStore(engine);
    const [id] = await enqueue(store, { kind: "deadly", now });
    const claim = { kinds: ["deadly"], limit: 1, worker: "gone" };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const at = clock.now();
      expect(await store.jobs.claim({ ...claim, now: at, leaseUntil: at })).toHaveLength(1);
    }
    const kind: JobKind = {
      name: "deadly",
      attempts: 3,
      run: () => Promise.reject(new Error("must not run")),
    };
    await workerOf({ store, clock }, [kind]).drain();
    expect(await jobOf(store, id)).toMatchObject({
      state: "dead",
      error: "its process ended in the middle of 3 attempts",
    });
  });

  test("a started worker runs queued jobs until it is stopped", async () => {
    const { store, clock } = await newStore(engine);
    const ran = latch();
    const kind: JobKind = { name: "now", run: async () => ran.open() };
    // No poll: the transaction that enqueues wakes the worker.
    const worker = workerOf({ store, clock }, [kind], { pollMilliseconds: 2 ** 31 - 1 });
    worker.start();
    const [id] = await enqueue(store, { kind: "now", now });
    await ran.opened;
    await worker.stop();
    expect(await jobOf(store, id)).toMatchObject({ state: "succeeded" });
    const [left] = await enqueue(store, { kind: "now", now });
    expect(await jobOf(store, left)).toMatchObject({ state: "queued" });
  });

  test("a kind may limit how many of its jobs run at a time, and others run meanwhile", async () => {
    const { store, clock } = await newStore(engine);
    const other = latch();
    const [mayEnd, ended] = [latch(), latch()];
    let [running, most, done] = [0, 0, 0];
    const slow: JobKind = {
      name: "slow",
      atOnce: 2,
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await mayEnd.opened;
        running -= 1;
        done += 1;
        if (done === 5) ended.open();
      },
    };
    const quick: JobKind = { name: "quick", run: async () => other.open() };
    const worker = workerOf({ store, clock }, [slow, quick], { pollMilliseconds: 2 ** 31 - 1 });
    await enqueue(store, ...Array.from({ length: 5 }, () => ({ kind: "slow", now })));
    await enqueue(store, { kind: "quick", now });
    worker.start();
    await other.opened;
    mayEnd.open();
    await ended.opened;
    await worker.stop();
    expect(most).toBeLessThanOrEqual(2);
  });
});
