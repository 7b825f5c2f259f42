import { createClient, type Client } from "@security-platform/client";
import type {
  Advanced,
  ControlledPlatform,
  FaultRules,
  HomeTenant,
  ImportKind,
  RecordedRequests,
  SeededWorld,
  World,
} from "@security-platform/server/portable";
import type { ImportRecords } from "@security-platform/spec";
import { instantOf } from "./options.ts";
import { seedBuilders, type SeedBuilders } from "./seed-builders.ts";

export interface Credentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A request, a URL, or a path such as `/iocs/queries/indicators/v1`. */
export type FetchInput = Request | URL | string;

/** The platform's clock. It stands still until it is moved. */
export interface PlatformClock {
  now(): Date;
  /**
   * Moves the clock by milliseconds or by a text such as `90 s`, `3 h` or `1 d 12 h`. Stops at every instant at which
   * background work is due, and runs it. Resolves when this work has ended. Throws `RangeError` for anything else.
   */
  advance(duration: number | string): Promise<Advanced>;
  /** Advances to an instant. Throws `RangeError` for one that is not later than now. */
  advanceTo(instant: Date | string): Promise<Advanced>;
}

/** A tenant, and a client that acts in it with all scopes. */
export interface SeededTenant {
  readonly cid: string;
  readonly credentials: Credentials;
  readonly client: Client;
}

export interface Seed extends SeedBuilders {
  /** Adds the generated tenants, users and records of `small`, `mssp` or `large`. The same seed adds the same world. */
  world(world: World, seed?: number): Promise<SeededWorld & SeededTenant>;
  /**
   * Adds records in the form of `secplat import`, also of kinds that no operation creates, such as hosts. Default for
   * `cid`: the platform's own tenant. Throws an error that names the first invalid record.
   */
  records<Kind extends ImportKind>(
    kind: Kind,
    records: readonly ImportRecords[Kind][],
    options?: { readonly cid?: string },
  ): Promise<void>;
  /** Adds a tenant with the records of the catalogue. */
  tenant(name: string, options?: { readonly parentCid?: string }): Promise<SeededTenant>;
}

/** A platform in the process of a test. */
export interface TestPlatform extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, for clients of any language. */
  readonly baseUrl: string;
  /** The tenant of `client` and `credentials`. */
  readonly cid: string;
  /** A client with all scopes. The same in every platform. */
  readonly credentials: Credentials;
  /**
   * A client that sends its requests without a network, and by the platform's clock: where it waits, it advances
   * the clock. A reset replaces it.
   */
  readonly client: Client;
  readonly clock: PlatformClock;
  /** The requests since the start or the last reset. */
  readonly requests: RecordedRequests;
  readonly faults: FaultRules;
  readonly seed: Seed;
  /** Handles a request without a network. */
  fetch(input: FetchInput, init?: RequestInit): Promise<Response>;
  /** A client of any tenant, with all scopes. */
  clientOf(cid: string): Promise<SeededTenant>;
  /** Runs the background work that is due now. Resolves to the number of attempts, when they have ended. */
  runJobs(): Promise<number>;
  /**
   * Returns to the state of the start: records, tenants, tokens, limits and the time. Removes faults, and empties
   * `requests`. Requests and jobs that are running end first; requests that arrive meanwhile wait.
   */
  reset(): Promise<void>;
  /** Copies the state. Resolves to the number of the copy. */
  snapshot(): Promise<number>;
  /** Returns to a copy, as `reset` returns to the start. Throws `RangeError` for an unknown number. */
  restore(snapshot: number): Promise<void>;
  /** Frees the memory of a copy. Throws `RangeError` for an unknown number. */
  dropSnapshot(snapshot: number): Promise<void>;
  /** Ends it. A repeated call does nothing. */
  stop(): Promise<void>;
}

/** What a host adds to a platform. */
export interface Hosted {
  readonly platform: ControlledPlatform;
  readonly baseUrl: string;
  readonly home: HomeTenant;
  readonly stop: () => Promise<void>;
}

/** The test's view of a platform in this process. */
export function testPlatform({ platform, baseUrl, home, stop }: Hosted): TestPlatform {
  const { controls } = platform;
  const { cid, clientId, clientSecret } = home;
  const credentials = { baseUrl, clientId, clientSecret };
  let client: Client | null = null;
  let stopped: Promise<void> | null = null;

  /** A host may use a stopped platform again. What a test still does with this one must not change that. */
  const whileRunning = <Result>(work: () => Result): Result => {
    if (stopped !== null) throw new Error("this platform is stopped");
    return work();
  };
  const unlessStopped = async <Result>(work: () => Promise<Result>): Promise<Result> =>
    whileRunning(work);
  const { requests, faults } = controls;

  const connect = (as: Credentials): Client =>
    createClient({
      ...as,
      fetch: (request) => unlessStopped(() => platform.fetch(request)),
      random: () => 0,
      clock: {
        now: () => controls.clock.now(),
        sleep: async (milliseconds, signal) => {
          signal?.throwIfAborted();
          await unlessStopped(() => controls.advance(milliseconds));
        },
      },
      debug: false,
    });

  const clientOf = async (
    tenant: string,
    kind: "createClient" | "worldClient" = "createClient",
  ): Promise<SeededTenant> => {
    const created = await unlessStopped(() => controls[kind](tenant));
    const own = { baseUrl, clientId: created.client_id, clientSecret: created.client_secret };
    return { cid: tenant, credentials: own, client: connect(own) };
  };

  const renewing = async (work: () => Promise<void>): Promise<void> => {
    await unlessStopped(work);
    client = null;
  };

  const seedRecords = async (kind: ImportKind, records: readonly object[], tenant = cid) => {
    await unlessStopped(() => controls.seedRecords(kind, records, tenant));
  };

  return {
    baseUrl,
    cid,
    credentials,
    get client() {
      client ??= connect(credentials);
      return client;
    },
    clock: {
      now: () => controls.clock.now(),
      advance: (duration) => unlessStopped(() => controls.advance(duration)),
      advanceTo: async (instant) =>
        unlessStopped(() => controls.advanceTo(instantOf(instant, "instant"))),
    },
    requests: {
      list: (filter) => whileRunning(() => requests.list(filter)),
      waitFor: (filter, options) => unlessStopped(() => requests.waitFor(filter, options)),
      clear: () => whileRunning(() => requests.clear()),
    },
    faults: {
      add: (rule) => whileRunning(() => faults.add(rule)),
      list: () => whileRunning(() => faults.list()),
      remove: (id) => whileRunning(() => faults.remove(id)),
      clear: () => whileRunning(() => faults.clear()),
    },
    seed: {
      ...seedBuilders(seedRecords, () => controls.clock.now()),
      world: async (world, seed) => {
        const seeded = await unlessStopped(() => controls.seedWorld(world, seed));
        return { ...seeded, ...(await clientOf(seeded.cid, "worldClient")) };
      },
      records: (kind, records, { cid: tenant } = {}) => seedRecords(kind, records, tenant),
      tenant: async (name, { parentCid } = {}) => {
        const created = await unlessStopped(() => controls.createTenant(name, parentCid));
        return clientOf(created.cid);
      },
    },
    fetch: (input, init) => unlessStopped(() => platform.fetch(requestOf(input, init, baseUrl))),
    clientOf: (tenant) => clientOf(tenant),
    runJobs: () => unlessStopped(() => controls.runJobs()),
    reset: () => renewing(() => controls.reset()),
    snapshot: () => unlessStopped(() => controls.takeSnapshot()),
    restore: (number) => renewing(() => controls.restore(number)),
    dropSnapshot: (number) => unlessStopped(() => controls.dropSnapshot(number)),
    stop: () => (stopped ??= stop()),
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}

function requestOf(input: FetchInput, init: RequestInit | undefined, baseUrl: string): Request {
  if (typeof input === "string" || "href" in input) {
    return new Request(new URL(String(input), baseUrl), init);
  }
  return new Request(input instanceof Request ? input : ofThisRealm(input), init);
}

/** Copies a request of another realm or library, which the constructor would read as text. */
function ofThisRealm({ url, method, headers, body }: Request): Request {
  // The types of browsers lack `duplex`.
  const content = (body === null ? {} : { body, duplex: "half" }) as RequestInit;
  return new Request(url, { method, headers: [...headers], ...content });
}
