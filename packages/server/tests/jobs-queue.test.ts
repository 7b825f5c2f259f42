import { expect, test } from "vitest";
import { createLogger } from "../src/foundation/logger.ts";
import { PermanentJobError, type JobKind } from "../src/jobs/job-kind.ts";
import { forEachEngine } from "./support/engines.ts";
import { anotherStore, enqueue, jobOf, latch, noting, workerOf } from "./support/jobs.ts";
import { days, minutes, seconds } from "./support/manual-clock.ts";
import { sighting, sightings } from "./support/sightings.ts";
import { child, filterOf, newStore, now } from "./support/store.ts";

/** A kind that inserts a sighting with the name in the payload. */
const inserting: JobKind = {
  name: "insert",
  run: async ({ payload, now: at }) => ({
    commit: async (transaction) => {
      const id = String(payload["id"]);
      await transaction.records(sightings).insert([sighting(id)], at);
      return { inserted: id };
    },
  }),
};

forEachEngine((engine) => {
  test("the error of a job may contain any character", async () => {
    const { store, clock } = await newStore(engine);
    const [id] = await enqueue(store, { kind: "fail", now });
    const error = "unreadable: \0 \u0001 \ud800";
    const failing: JobKind = {
      name: "fail",
      run: () => Promise.reject(new PermanentJobError(error)),
    };
    await workerOf({ store, clock }, [failing]).drain();
    expect(await jobOf(store, id)).toMatchObject({ state: "dead", attempts: 1, error });
  });

  test("the log has one line for each reason of a job's failures, and one for the last", async () => {
    const { store, clock } = await newStore(engine);
    const reasons = [
      "unknown host",
      "unknown host",
      "unknown host",
      "refused",
      "refused",
      "refused",
    ];
    const failing: JobKind = {
      name: "fail",
      attempts: reasons.length,
      run: ({ attempt }) => Promise.reject(new Error(reasons[attempt - 1])),
    };
    const [id = 0] = await enqueue(store, { kind: "fail", now });
    const lines: string[] = [];
    const logger = createLogger("warn", { write: (line: string) => lines.push(line) });
    const worker = workerOf({ store, clock }, [failing], { logger });
    const runAll = async (): Promise<readonly unknown[]> => {
      lines.length = 0;
      for (const _ of reasons) {
        await worker.drain();
        clock.advance(minutes(61));
      }
      return lines.map((line) => {
        const { err, attempt, level } = JSON.parse(line) as {
          err: { message: string };
          attempt: number;
          level: string;
        };
        return [attempt, err.message, level];
      });
    };
    const expected = [
      [1, "unknown host", "warn"],
      [4, "refused", "warn"],
      [6, "refused", "error"],
    ];
    expect(await runAll()).toEqual(expected);
    await store.jobs.retry(id, clock.now());
    expect(await runAll()).toEqual(expected);
  });

  test("a job exists exactly if the write that enqueues it commits", async () => {
    const { store, clock } = await newStore(engine);
    const failed = store.write(child, async (transaction) => {
      await transaction.enqueue({ kind: "insert", payload: { id: "lost" } }, now);
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    const [id] = await enqueue(store, { kind: "insert", payload: { id: "kept" }, now });
    expect(await store.jobs.list({ limit: 10 })).toEqual([
      {
        id,
        cid: child,
        kind: "insert",
        state: "queued",
        key: null,
        payload: { id: "kept" },
        attempts: 0,
        due_at: now.toISOString(),
        run_at: now.toISOString(),
        created_at: now.toISOString(),
        started_at: null,
        finished_at: null,
        worker: null,
        progress: null,
        result: null,
        error: null,
      },
    ]);
    clock.advance(seconds(1));
    expect(await workerOf({ store, clock }, [inserting]).drain()).toBe(1);
    expect(await jobOf(store, id)).toMatchObject({
      state: "succeeded",
      attempts: 1,
      run_at: null,
      started_at: clock.now().toISOString(),
      finished_at: clock.now().toISOString(),
      worker: expect.stringContaining(`/${process.pid}`),
      result: { inserted: "kept" },
    });
    const stored = await store.records(sightings, { cid: child }).get(["lost", "kept"], now);
    expect([...stored.keys()]).toEqual(["kept"]);
  });

  test("jobs run in the order of their times, and none before its time", async () => {
    const { store, clock } = await newStore(engine);
    const at = (milliseconds: number) => new Date(now.getTime() + milliseconds);
    await enqueue(
      store,
      { kind: "note", payload: { name: "later" }, at: at(minutes(2)), now },
      { kind: "note", payload: { name: "second" }, now },
      { kind: "note", payload: { name: "third" }, now },
      { kind: "note", payload: { name: "soon" }, at: at(minutes(1)), now },
      { kind: "note", payload: { name: "first" }, at: at(-minutes(1)), now },
    );
    const names: unknown[] = [];
    const worker = workerOf({ store, clock }, [
      noting("note", names, (job) => job.payload["name"]),
    ]);
    await worker.drain();
    expect(names).toEqual(["first", "second", "third"]);
    clock.advance(minutes(2));
    await worker.drain();
    expect(names.slice(3)).toEqual(["soon", "later"]);
  });

  test("one of two processes gets a job, and each gets only kinds that it knows", async () => {
    const { store, clock, url } = await newStore(engine);
    const other = await anotherStore({ url }, clock);
    const ids = Array.from({ length: 20 }, (_, index) => `job ${index}`);
    await enqueue(store, ...ids.map((id) => ({ kind: "insert", payload: { id }, now })));
    const [unknown] = await enqueue(store, { kind: "from.the.future", now });
    const counts = await Promise.all([
      workerOf({ store, clock }, [inserting]).drain(),
      workerOf({ store: other, clock }, [inserting]).drain(),
      workerOf({ store, clock }, [inserting]).drain(),
    ]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(20);
    expect(await store.records(sightings, { cid: child }).count(filterOf(""), now)).toBe(20);
    expect(await jobOf(store, unknown)).toMatchObject({ state: "queued", attempts: 0 });
  });

  test("jobs with one key run one at a time and in order, in any process", async () => {
    const { store, clock, url } = await newStore(engine);
    const other = await anotherStore({ url }, clock);
    const { opened, open } = latch();
    const started = latch();
    const names: string[] = [];
    const kind: JobKind = {
      name: "export",
      run: async ({ payload }) => {
        names.push(String(payload["name"]));
        started.open();
        await opened;
      },
    };
    const job = (name: string, key: string) => ({ kind: "export", key, payload: { name }, now });
    await enqueue(store, job("first", "images"), job("second", "images"), job("other", "hosts"));
    const first = workerOf({ store, clock }, [kind]).drain();
    await started.opened;
    // It was due before the job that runs, and waits for it nevertheless.
    const due = new Date(now.getTime() - seconds(1));
    await enqueue(store, { ...job("late", "images"), now: due });
    const claim = { kinds: ["export"], limit: 10, worker: "other", now, leaseUntil: clock.now() };
    const claimed = await other.jobs.claim({ ...claim, leaseUntil: new Date("2027-01-01") });
    expect(claimed.map(({ payload }) => payload["name"])).toEqual(["other"]);
    expect(await other.jobs.claim(claim)).toEqual([]);
    open();
    await first;
    expect(names).toEqual(["first", "late", "second"]);
  });

  test("a failed job is retried after increasing pauses, and is dead after the last attempt", async () => {
    const { store, clock } = await newStore(engine);
    let calls = 0;
    const kind: JobKind = {
      name: "fail",
      attempts: 3,
      run: async () => {
        calls += 1;
        throw new Error(`no ${calls}`);
      },
      gaveUp: async ({ payload, error, now: at }, transaction) => {
        const note = `${String(payload["name"])}: ${error}`;
        await transaction.records(sightings).insert([sighting("epitaph", { note })], at);
      },
    };
    const worker = workerOf({ store, clock }, [kind]);
    const [id] = await enqueue(store, { kind: "fail", payload: { name: "x" }, now });
    expect(await worker.drain()).toBe(1);
    const after = (milliseconds: number) =>
      new Date(clock.now().getTime() + milliseconds).toISOString();
    expect(await jobOf(store, id)).toMatchObject({
      state: "failed",
      error: "no 1",
      attempts: 1,
      run_at: after(seconds(10)),
      finished_at: null,
    });
    clock.advance(seconds(9));
    expect(await worker.drain()).toBe(0);
    clock.advance(seconds(1));
    expect(await worker.drain()).toBe(1);
    expect(await jobOf(store, id)).toMatchObject({ state: "failed", run_at: after(seconds(20)) });
    expect(await store.records(sightings, { cid: child }).get(["epitaph"], now)).toEqual(new Map());
    clock.advance(seconds(20));
    expect(await worker.drain()).toBe(1);
    expect(await jobOf(store, id)).toMatchObject({
      state: "dead",
      error: "no 3",
      attempts: 3,
      run_at: null,
      finished_at: clock.now().toISOString(),
    });
    clock.advance(days(1));
    expect(await worker.drain()).toBe(0);
    const epitaph = await store.records(sightings, { cid: child }).getComplete(["epitaph"], now);
    expect(epitaph.get("epitaph")?.note).toBe("x: no 3");
  });

  test("a retried dead job has all its attempts again", async () => {
    const { store, clock } = await newStore(engine);
    let broken = true;
    const kind: JobKind = {
      name: "mend",
      run: async () => {
        if (broken) throw new PermanentJobError("refused for good");
      },
    };
    const worker = workerOf({ store, clock }, [kind]);
    const [id = 0] = await enqueue(store, { kind: "mend", now });
    expect(await worker.drain()).toBe(1);
    expect(await jobOf(store, id)).toMatchObject({ state: "dead", attempts: 1 });
    broken = false;
    expect(await store.jobs.retry(id, clock.now())).toBe(true);
    expect(await store.jobs.retry(id, clock.now())).toBe(false);
    expect(await jobOf(store, id)).toMatchObject({ state: "queued", attempts: 0 });
    await worker.drain();
    expect(await jobOf(store, id)).toMatchObject({ state: "succeeded", error: null });
    expect(await store.jobs.retry(id, clock.now())).toBe(false);
    expect(await store.jobs.retry(999, clock.now())).toBe(false);
  });

  test("ended jobs are kept for some time", async () => {
    const { store, clock } = await newStore(engine);
    const broken: JobKind = {
      name: "break",
      attempts: 1,
      run: () => Promise.reject(new Error("broken")),
    };
    const worker = workerOf({ store, clock }, [noting("note", [], () => null), broken]);
    await enqueue(store, { kind: "note", now }, { kind: "break", now });
    await worker.drain();
    const left = async () => (await store.jobs.list({ limit: 10 })).map(({ kind }) => kind);
    clock.advance(days(7) - 1);
    expect(await store.jobs.purge(clock.now())).toBe(0);
    clock.advance(1);
    expect(await store.jobs.purge(clock.now())).toBe(1);
    expect(await left()).toEqual(["break"]);
    clock.advance(days(23));
    expect(await store.jobs.purge(clock.now())).toBe(1);
    expect(await left()).toEqual([]);
  });
});
