import { suggestion } from "@security-platform/spec/schemas";
import { createClient, type NewClient } from "../access/clients.ts";
import { everyScope } from "../access/roles.ts";
import { createTenant } from "../catalogue/index.ts";
import type { Delivery } from "../domain/case-management/notifications/deliveries.ts";
import { listDeliveries } from "../domain/case-management/notifications/keep-deliveries.ts";
import type { ControlPlane } from "../http/control/control-plane.ts";
import type { ControlParts } from "../http/control/parts.ts";
import type { FaultRules } from "../http/control/fault-rule.ts";
import type { RecordedRequests } from "../http/control/recorded-request.ts";
import { newIdentifier } from "../foundation/identifiers.ts";
import type { ImportOutcome } from "../imports/index.ts";
import type { LimitState, LocalLimits } from "../limits/limits.ts";
import { listMails, type Mail } from "../mail/outbox.ts";
import type { Platform } from "../platform/platform.ts";
import type { SeededWorld } from "../seed/index.ts";
import { StoreError, type Job, type Snapshots, type Tenant } from "../store/index.ts";
import type { ClockState, ControlledClock } from "./controlled-clock.ts";
import { readDuration } from "./duration.ts";

/** State that is no part of the database. */
interface Snapshot {
  /** The number of the snapshot of the database. */
  readonly number: number;
  readonly clock: ClockState;
}

export interface ControlsParts extends ControlParts {
  readonly platform: Platform;
  readonly clock: ControlledClock;
  readonly limits: LocalLimits;
}

/** The result of moving the clock: its time, and the work that ran. */
export interface Advanced {
  readonly now: Date;
  /** Number of attempts of jobs. */
  readonly jobs: number;
}

/**
 * Controls a platform from outside its API: its clock, its state, its background work and its faults. Calls run
 * one after the other.
 */
export class Controls implements ControlPlane {
  readonly clock: ControlledClock;
  readonly faults: FaultRules;
  /** The requests since the start or the last reset. */
  readonly requests: RecordedRequests;
  readonly #parts: ControlsParts;
  readonly #snapshots = new Map<number, Snapshot>();
  #initial: Snapshot | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: ControlsParts) {
    this.clock = parts.clock;
    this.faults = parts.faults;
    this.requests = parts.journal;
    this.#parts = parts;
  }

  /**
   * Moves the clock by a duration such as `3 h`, and stops at every instant at which a job is due, to run it. Returns
   * when all due jobs have ended. Throws `RangeError` for an invalid duration.
   */
  async advance(duration: number | string): Promise<Advanced> {
    const milliseconds = readDuration(duration);
    return this.#inTurn(() => this.#moveUntil(this.clock.now().getTime() + milliseconds));
  }

  /** Advances to an instant. Throws `RangeError` for one that is earlier than now. */
  advanceTo(instant: Date): Promise<Advanced> {
    return this.#inTurn(async () => {
      const from = this.clock.now();
      if (instant < from) {
        throw new RangeError(
          `${instant.toISOString()} is earlier than the clock, ${from.toISOString()}; reset the platform first`,
        );
      }
      return this.#moveUntil(from.getTime() + readDuration(instant.getTime() - from.getTime()));
    });
  }

  /** Runs all jobs that are due now. Returns the number of attempts, when they have ended. */
  runJobs(): Promise<number> {
    return this.#inTurn(() => this.#parts.platform.worker.settle());
  }

  /** Makes the current state the one that `reset` returns to. Frees all snapshots. */
  keepInitial(): Promise<void> {
    return this.#inTurn(async () => {
      const copies = this.#copies();
      for (const { number } of this.#snapshots.values()) await copies.free(number);
      this.#snapshots.clear();
      if (this.#initial !== null) await copies.free(this.#initial.number);
      this.#initial = await this.#quietly(() => this.#take());
    });
  }

  /**
   * Returns to the initial state: of all records, tenants, clients and tokens, of the clock and of the limits. Removes
   * faults, and empties the journal. Requests and jobs that are running end first; requests that arrive meanwhile
   * wait. Snapshots stay.
   */
  reset(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#initial === null) throw new StoreError(cannotCopy);
      await this.#return(this.#initial);
    });
  }

  /** Copies the state of the records and the clock, after all requests and jobs that are running. */
  takeSnapshot(): Promise<number> {
    return this.#inTurn(async () => {
      const snapshot = await this.#quietly(() => this.#take());
      this.#snapshots.set(snapshot.number, snapshot);
      return snapshot.number;
    });
  }

  /** Returns to a snapshot, as `reset` returns to the initial state. Throws `RangeError` for an unknown number. */
  restore(number: number): Promise<void> {
    return this.#inTurn(() => this.#return(this.#find(number)));
  }

  /** Frees the memory of a snapshot. Throws `RangeError` for an unknown number. */
  dropSnapshot(number: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#find(number);
      this.#snapshots.delete(number);
      await this.#copies().free(number);
    });
  }

  get snapshots(): readonly number[] {
    return [...this.#snapshots.keys()];
  }

  /** Adds a generated world. Its tenants are new; the same seed generates the same world on the same day. */
  seedWorld(world: string, seed = 1): Promise<SeededWorld> {
    // No job runs meanwhile: the story of a world asks for some, and finishes them itself.
    return this.#inTurn(() =>
      this.#quietly(async () => {
        // Most tests generate no world, so its code is loaded here.
        const { seedWorld, worlds } = await import("../seed/index.ts");
        const { store, blobs } = this.#parts.platform.context;
        const knownWorld = worlds.find((each) => each === world);
        if (knownWorld === undefined) {
          throw new RangeError(
            `unknown world ${world}${suggestion(String(world), worlds) || "."} Expected ${worlds.join(", ")}.`,
          );
        }
        if (!Number.isSafeInteger(seed) || seed < 0) {
          throw new RangeError(`seed: expected a whole number from 0, got ${String(seed)}`);
        }
        return seedWorld(store, { world: knownWorld, seed, clock: this.clock, blobs });
      }),
    );
  }

  /** Jobs of all tenants, newest first. */
  listJobs(limit: number): Promise<readonly Job[]> {
    return this.#parts.platform.context.store.jobs.list({ limit });
  }

  /** Mails with their texts, newest first. */
  listMails(limit: number): Promise<readonly Mail[]> {
    return listMails(this.#parts.platform.context.store, this.clock.now(), { limit });
  }

  /** Messages to mail addresses and webhooks, newest first. */
  listDeliveries(limit: number): Promise<readonly Delivery[]> {
    return listDeliveries(this.#parts.platform.context.store, this.clock.now(), { limit });
  }

  listLimits(): readonly LimitState[] {
    return this.#parts.limits.list(this.clock.now());
  }

  clearLimits(): void {
    this.#parts.limits.clear();
  }

  /** Creates a tenant with the records of the catalogue. Throws `RangeError` for an unknown parent. */
  createTenant(name: string, parentCid: string | null = null): Promise<Tenant> {
    return this.#inTurn(async () => {
      const { store } = this.#parts.platform.context;
      if (typeof name !== "string" || name === "") {
        throw new RangeError(
          `name: expected a text, got ${name === "" ? "an empty one" : String(name)}`,
        );
      }
      if (parentCid !== null) await this.#requireTenant(parentCid);
      const created_at = this.clock.now().toISOString();
      const tenant = { cid: newIdentifier(), name, parent_cid: parentCid, created_at };
      await createTenant(store, this.clock, tenant);
      return tenant;
    });
  }

  /** Creates an API client with all scopes. Throws `RangeError` for an unknown tenant. */
  createClient(cid: string): Promise<NewClient> {
    return this.#inTurn(async () => {
      const { store } = this.#parts.platform.context;
      await this.#requireTenant(cid);
      return createClient(store.directory, this.clock, { cid, name: "test", scopes: everyScope });
    });
  }

  /** A client for a tenant of a generated world, which sees all of its records. */
  worldClient(cid: string): Promise<NewClient> {
    return this.#inTurn(async () => {
      const { worldClient } = await import("../seed/index.ts");
      await this.#requireTenant(cid);
      return worldClient(this.#parts.platform.context.store, this.clock, { cid, name: "test" });
    });
  }

  /**
   * Adds records in the form of `secplat import`. Throws `RangeError` with the place and the reason if one is invalid;
   * the valid ones are added.
   */
  seedRecords(kind: string, records: readonly object[], cid: string): Promise<ImportOutcome> {
    return this.#inTurn(async () => {
      const { store } = this.#parts.platform.context;
      await this.#requireTenant(cid);
      const { importKinds, importRecords } = await import("../imports/index.ts");
      const importKind = importKinds.find((each) => each === kind);
      if (importKind === undefined) {
        throw new RangeError(`unknown kind of records ${kind}${suggestion(kind, importKinds)}`);
      }
      const lines = records.map((record) => JSON.stringify(record));
      const clock = this.clock;
      const outcome = await importRecords(store, {
        cid,
        kind: importKind,
        lines,
        clock,
        update: true,
      });
      const [problem] = outcome.problems;
      if (problem === undefined) return outcome;
      throw new RangeError(`${kind}[${problem.line - 1}]: ${problem.message}`);
    });
  }

  /** Runs in a turn. `time`: milliseconds since 1970. */
  async #moveUntil(time: number): Promise<Advanced> {
    const { worker } = this.#parts.platform;
    const until = new Date(time);
    let jobs = await worker.settle();
    for (;;) {
      const next = await worker.nextInstant();
      if (next === null || next > until) break;
      this.clock.moveTo(next);
      jobs += await worker.settle();
    }
    if (this.clock.now() < until) this.clock.moveTo(until);
    jobs += await worker.settle();
    return { now: this.clock.now(), jobs };
  }

  async #requireTenant(cid: string): Promise<void> {
    const { directory } = this.#parts.platform.context.store;
    if ((await directory.tenant(cid)) === null) throw new RangeError(`there is no tenant ${cid}`);
  }

  #copies(): Snapshots {
    const { snapshots } = this.#parts.platform.context.store;
    if (snapshots === null) throw new StoreError(cannotCopy);
    return snapshots;
  }

  #find(number: number): Snapshot {
    const snapshot = this.#snapshots.get(number);
    if (snapshot !== undefined) return snapshot;
    const numbers = this.snapshots.join(", ");
    throw new RangeError(
      `there is no snapshot ${number}; there is ${numbers === "" ? "none" : numbers}`,
    );
  }

  async #take(): Promise<Snapshot> {
    return { number: await this.#copies().take(), clock: this.clock.state };
  }

  async #return({ number, clock }: Snapshot): Promise<void> {
    const { limits } = this.#parts;
    this.faults.clear();
    await this.#quietly(async () => {
      await this.#copies().restore(number);
      // A running clock runs on, without the differences that were set.
      if (clock.frozen) this.clock.set(clock);
      else this.clock.reset();
      limits.clear();
      this.requests.clear();
    });
  }

  /** Runs work while no request and no job runs. */
  #quietly<Result>(work: () => Promise<Result>): Promise<Result> {
    const { gate, platform } = this.#parts;
    return gate.whileEmpty(() => platform.worker.pauseFor(work));
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

const cannotCopy = "only a platform with the database sqlite::memory: can be copied and reset";
