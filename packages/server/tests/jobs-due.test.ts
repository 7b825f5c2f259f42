import { expect, test } from "vitest";
import { dueEffect, type Occasion } from "../src/jobs/due-effect.ts";
import { PermanentJobError } from "../src/jobs/job-kind.ts";
import type { Worker } from "../src/jobs/worker.ts";
import type { Store, Transaction } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { anotherStore, workerOf } from "./support/jobs.ts";
import { days, hours, type ManualClock } from "./support/manual-clock.ts";
import { sighting, timedSightings, type Sighting } from "./support/sightings.ts";
import { child, newStore, now, parent } from "./support/store.ts";

type Effect = (occasion: Occasion<Sighting>) => Promise<void>;

const inDays = (count: number): string => new Date(now.getTime() + days(count)).toISOString();
const { due: _, ...untimed } = timedSightings;

forEachEngine((engine) => {
  /** A worker whose effects record the record and the time, and then run `effect`. */
  async function timed(effect: Effect = async () => undefined) {
    const { store, clock, url } = await newStore(engine, [timedSightings]);
    const notes: string[] = [];
    const onTime =
      (name: string): Effect =>
      async (occasion) => {
        const { record, now: at, transaction } = occasion;
        const tenant = transaction.cid === child ? "" : " of another tenant";
        notes.push(`${at.toISOString().slice(5, 10)} ${name} ${record.id}${tenant}`);
        await effect(occasion);
      };
    const worker = (over: Store): Worker =>
      workerOf({ store: over, clock }, [
        dueEffect(timedSightings, "seen", onTime("seen")),
        dueEffect(timedSightings, "expiry", onTime("expiry")),
      ]);
    const write = (work: (transaction: Transaction) => Promise<unknown>, cid = child) =>
      store.write(cid, work);
    const insert = (...records: readonly Sighting[]) =>
      write((transaction) => transaction.records(timedSightings).insert(records, clock.now()));
    const replace = (...records: readonly Sighting[]) =>
      write((transaction) => transaction.records(timedSightings).replace(records, clock.now()));
    return {
      store,
      clock,
      url,
      notes,
      worker,
      drain: () => worker(store).drain(),
      write,
      insert,
      replace,
    };
  }

  test("in a month each instant fires once, in order, with itself as the current time", async () => {
    const { store, clock, url, notes, worker, insert } = await timed();
    const records = Array.from({ length: 30 }, (__, day) =>
      sighting(`s${day}`, {
        name: `s${day}`,
        // Not in the order in which they are due.
        seen_at: inDays(((day * 7) % 30) + 0.5),
        ...(day % 3 === 0 ? { expires_at: inDays(30 - day) } : {}),
      }),
    );
    await insert(...records);
    clock.advance(days(31));
    const [first, second] = [
      worker(store),
      worker(await anotherStore({ url }, clock, [timedSightings])),
    ];
    expect(await first.drain()).toBe(40);
    expect(await second.drain()).toBe(0);
    expect(notes).toHaveLength(40);
    expect(notes).toEqual(
      notes.toSorted((left, right) => (left.slice(0, 5) < right.slice(0, 5) ? -1 : 1)),
    );
    const expected = records.flatMap(({ id, seen_at, expires_at }) => [
      `${seen_at?.slice(5, 10)} seen ${id}`,
      ...(expires_at === undefined ? [] : [`${expires_at?.slice(5, 10)} expiry ${id}`]),
    ]);
    expect(new Set(notes)).toEqual(new Set(expected));
  });

  test("an instant that an effect sets within the period fires in order", async () => {
    const { clock, notes, drain, insert } = await timed(
      async ({ record, now: at, transaction }) => {
        if (record.id !== "a") return;
        const next = new Date(at.getTime() + days(2)).toISOString();
        const last = record.score === 2;
        const after = { ...record, score: (record.score ?? 0) + 1, seen_at: last ? null : next };
        await transaction.records(timedSightings).replace([after], at);
      },
    );
    await insert(sighting("a", { seen_at: inDays(1) }), sighting("b", { seen_at: inDays(4) }));
    clock.advance(days(20));
    await drain();
    expect(notes).toEqual(["03-02 seen a", "03-04 seen a", "03-05 seen b", "03-06 seen a"]);
    expect(await drain()).toBe(0);
  });

  test("a write moves, removes and restores an instant; an unchanged one does not fire again", async () => {
    const { store, clock, notes, drain, insert, replace } = await timed();
    await insert(
      sighting("moved", { seen_at: inDays(1) }),
      sighting("paused", { seen_at: inDays(1) }),
      sighting("kept", { seen_at: inDays(1) }),
    );
    await replace(
      sighting("moved", { seen_at: inDays(3) }),
      sighting("paused"),
      sighting("kept", { seen_at: inDays(1), note: "changed" }),
    );
    await replace(sighting("kept", { seen_at: inDays(5) }));
    await replace(sighting("kept", { seen_at: inDays(1) }));
    expect(await store.jobs.list({ limit: 9 })).toHaveLength(2);
    clock.advance(days(2));
    await drain();
    expect(notes.splice(0)).toEqual(["03-02 seen kept"]);
    await replace(
      sighting("kept", { seen_at: inDays(1), note: "again" }),
      sighting("paused", { seen_at: inDays(4) }),
    );
    clock.advance(days(3));
    await drain();
    expect(notes.splice(0)).toEqual(["03-04 seen moved", "03-05 seen paused"]);
    await replace(sighting("kept", { seen_at: inDays(6) }));
    clock.advance(days(2));
    await drain();
    expect(notes).toEqual(["03-07 seen kept"]);
  });

  test("every kind of write counts: put and removal do, a failed write does not", async () => {
    const { clock, notes, drain, write, insert } = await timed();
    await insert(
      sighting("removed", { seen_at: inDays(1) }),
      sighting("put", { seen_at: inDays(1) }),
    );
    await write(async (transaction) => {
      const records = transaction.records(timedSightings);
      await records.remove(["removed"], clock.now());
      await records.put(
        [sighting("put", { seen_at: inDays(2) }), sighting("new", { expires_at: inDays(2) })],
        clock.now(),
      );
    });
    const failed = write(async (transaction) => {
      await transaction.records(timedSightings).remove(["put"], clock.now());
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    clock.advance(days(5));
    await drain();
    expect(notes.toSorted()).toEqual(["03-03 expiry new", "03-03 seen put"]);
  });

  test("records with the same id in two tenants are independent", async () => {
    const { clock, notes, drain, write, insert } = await timed();
    await insert(sighting("a", { seen_at: inDays(1) }));
    await write(
      (transaction) =>
        transaction.records(timedSightings).insert([sighting("a", { seen_at: inDays(2) })], now),
      parent,
    );
    clock.advance(days(3));
    await drain();
    expect(notes).toEqual(["03-02 seen a", "03-03 seen a of another tenant"]);
  });

  test("an effect and its completion are atomic, and a failure is retried", async () => {
    let broken = true;
    const { store, clock, drain, notes, insert } = await timed(
      async ({ record, now: at, transaction }) => {
        await transaction
          .records(timedSightings)
          .replace([{ ...record, score: (record.score ?? 0) + 1 }], at);
        if (broken) throw new Error("broken");
      },
    );
    const score = async () =>
      (await store.records(timedSightings, { cid: child }).getComplete(["a"], now)).get("a")?.score;
    await insert(sighting("a", { seen_at: inDays(1), rank: 7 }));
    clock.advance(days(2));
    await drain();
    expect(await score()).toBeUndefined();
    const [job] = await store.jobs.list({ limit: 1 });
    expect(job).toMatchObject({
      kind: "timed_sightings.seen",
      cid: child,
      key: "timed_sightings/a",
      payload: { id: "a" },
      due_at: inDays(1),
      state: "failed",
      error: "broken",
    });
    broken = false;
    clock.advance(hours(1));
    await drain();
    expect(await score()).toBe(1);
    expect(notes).toEqual(["03-02 seen a", "03-02 seen a"]);
    expect(await store.jobs.get(job?.id ?? 0)).toMatchObject({ state: "succeeded", attempts: 2 });
  });

  test.each([
    ["failed", new Error("broken")],
    ["dead", new PermanentJobError("broken")],
  ] as const)("a job that is %s is gone when its instant changes", async (state, error) => {
    const { store, clock, drain, insert, replace } = await timed(() => Promise.reject(error));
    await insert(sighting("a", { seen_at: inDays(1) }), sighting("b", { seen_at: inDays(1) }));
    clock.advance(days(1));
    await drain();
    const jobs = async () =>
      (await store.jobs.list({ limit: 9 }))
        .map((job) => `${String(job.payload["id"])} ${job.state} ${job.due_at}`)
        .toSorted();
    expect(await jobs()).toEqual([`a ${state} ${inDays(1)}`, `b ${state} ${inDays(1)}`]);
    await replace(sighting("a", { seen_at: inDays(3) }), sighting("b"));
    expect(await jobs()).toEqual([`a queued ${inDays(3)}`]);
  });

  test("an instant that changes while its job runs has no effect", async () => {
    const { store, clock, drain, notes, insert, replace } = await timed();
    await insert(
      sighting("moved", { seen_at: inDays(1) }),
      sighting("fro", { seen_at: inDays(1) }),
    );
    clock.advance(days(1));
    const claim = { kinds: ["timed_sightings.seen"], limit: 9, worker: "slow", now: clock.now() };
    expect(await store.jobs.claim({ ...claim, leaseUntil: clock.now() })).toHaveLength(2);
    await replace(
      sighting("moved", { seen_at: inDays(2) }),
      sighting("fro", { seen_at: inDays(2) }),
    );
    await replace(sighting("fro", { seen_at: inDays(1) }));
    await drain();
    expect(notes.splice(0)).toEqual(["03-02 seen fro"]);
    expect(await store.jobs.list({ limit: 9, state: "succeeded" })).toMatchObject([
      { result: null },
      { result: { canceled: true } },
    ]);
    clock.advance(days(1));
    await drain();
    expect(notes).toEqual(["03-03 seen moved"]);
  });

  test("after a resource gets a due instant, its records are queued at the next start", async () => {
    const { store, clock, url } = await newStore(engine, [untimed]);
    const write = (over: Store, ...records: readonly Sighting[]) =>
      over.write(child, (transaction) => transaction.records(untimed).insert(records, now));
    await write(store, sighting("old", { seen_at: inDays(1) }), sighting("never"));
    await store.write(child, async (transaction) => {
      await transaction.records(untimed).insert([sighting("gone", { seen_at: inDays(1) })], now);
      await transaction.records(untimed).remove(["gone"], now);
    });
    const notes: string[] = [];
    const start = async (): Promise<void> => {
      const restarted = await anotherStore({ url }, clock as ManualClock, [timedSightings]);
      const note: Effect = async ({ record }) => void notes.push(record.id);
      const kinds = [dueEffect(timedSightings, "seen", note)];
      clock.advance(days(1));
      await workerOf({ store: restarted, clock }, kinds).drain();
    };
    await start();
    await start();
    expect(notes).toEqual(["old"]);
  });
});
