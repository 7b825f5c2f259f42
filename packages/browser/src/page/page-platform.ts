import { createClient, type Client } from "@security-platform/client";
import type {
  Credentials,
  FetchInput,
  PlatformClock,
  SeedBuilders,
  SeededTenant,
  TestPlatform,
} from "@security-platform/testing/portable";
import type { SentResponse, Started } from "../worker/protocol.ts";
import { CompleteResponse } from "./complete-response.ts";
import type { WorkerLink } from "./worker-link.ts";

/** The same members, whose results come from the worker. `await` fits both. */
type FromWorker<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (
    ...parameters: infer Given
  ) => infer Result
    ? (...parameters: Given) => Promise<Awaited<Result>>
    : never;
};

/**
 * A platform in a worker of this page. It has the members of a `TestPlatform` of `@security-platform/testing`, and
 * those that return a value at once there return a promise here.
 */
export interface PagePlatform extends Omit<TestPlatform, "clock" | "requests" | "faults"> {
  readonly clock: FromWorker<PlatformClock>;
  readonly requests: FromWorker<TestPlatform["requests"]>;
  readonly faults: FromWorker<TestPlatform["faults"]>;
}

/** Any URL will do, because requests do not leave the page. Its host is in the URLs of responses. */
export const baseUrl = "http://localhost";

const builders: readonly (keyof SeedBuilders)[] = [
  "hosts",
  "hostGroups",
  "indicators",
  "executions",
  "alerts",
  "events",
  "cases",
  "identities",
];

const stopped = (): Error => new Error("this platform is stopped");

export function pagePlatform(
  link: WorkerLink,
  { cid, clientId, clientSecret, now: startedAt }: Started,
  { isRunning }: { readonly isRunning: boolean },
): PagePlatform {
  const credentials = { baseUrl, clientId, clientSecret };
  let client: Client | null = null;
  // The client reads the time without waiting, so the page follows the worker's clock.
  let now = startedAt;
  let since = performance.now();
  const follow = (instant: Date): void => {
    now = instant;
    since = performance.now();
  };

  const connect = (as: Credentials): Client =>
    createClient({
      ...as,
      fetch: async (request) => clientResponse(await link.send(request)),
      random: () => 0,
      clock: {
        now: () => new Date(now.getTime() + (isRunning ? performance.now() - since : 0)),
        sleep: async (milliseconds, signal) => {
          signal?.throwIfAborted();
          follow((await link.call("advance", milliseconds)).now);
        },
      },
      debug: false,
    });

  const clientOf = async (
    tenant: string,
    kind: "createClient" | "worldClient" = "createClient",
  ): Promise<SeededTenant> => {
    const created = await link.call(kind, tenant);
    const own = { baseUrl, clientId: created.client_id, clientSecret: created.client_secret };
    return { cid: tenant, credentials: own, client: connect(own) };
  };

  const renewing = async (work: Promise<void>): Promise<void> => {
    await work;
    follow(await link.call("now"));
    client = null;
  };

  const advance = async (duration: number | string) => {
    const advanced = await link.call("advance", duration);
    follow(advanced.now);
    return advanced;
  };

  const stop = async (): Promise<void> => link.end(stopped());

  return {
    baseUrl,
    cid,
    credentials,
    get client() {
      client ??= connect(credentials);
      return client;
    },
    clock: {
      now: () => link.call("now"),
      advance,
      advanceTo: async (instant) => {
        const advanced = await link.call("advanceTo", instant);
        follow(advanced.now);
        return advanced;
      },
    },
    requests: {
      list: (filter) => link.call("listRequests", filter),
      waitFor: (filter, { count, signal } = {}) => link.wait({ filter, count }, signal),
      clear: () => link.call("clearRequests"),
    },
    faults: {
      add: (rule) => link.call("addFault", rule),
      list: () => link.call("listFaults"),
      remove: (id) => link.call("removeFault", id),
      clear: () => link.call("clearFaults"),
    },
    seed: {
      ...(Object.fromEntries(
        builders.map((kind) => [
          kind,
          (records: number | readonly object[], options?: { readonly cid?: string }) =>
            link.call("build", kind, records, options),
        ]),
      ) as unknown as SeedBuilders),
      world: async (world, seed) => {
        const seeded = await link.call("seedWorld", world, seed);
        return { ...seeded, ...(await clientOf(seeded.cid, "worldClient")) };
      },
      records: async (kind, records, { cid: tenant = cid } = {}) => {
        await link.call("seedRecords", kind, records, tenant);
      },
      tenant: async (name, { parentCid } = {}) => {
        const created = await link.call("createTenant", name, parentCid);
        return clientOf(created.cid);
      },
    },
    fetch: async (input, init) => responseOf(await link.send(requestOf(input, init))),
    clientOf: (tenant) => clientOf(tenant),
    runJobs: () => link.call("runJobs"),
    reset: () => renewing(link.call("reset")),
    snapshot: () => link.call("snapshot"),
    restore: (number) => renewing(link.call("restore", number)),
    dropSnapshot: (number) => link.call("dropSnapshot", number),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The page takes only types from the test double, whose modules need Node.js. */
function requestOf(input: FetchInput, init: RequestInit | undefined): Request {
  if (input instanceof Request) return new Request(input, init);
  return new Request(new URL(input, baseUrl), init);
}

const headOf = ({ status, statusText, headers }: SentResponse) => ({
  status,
  statusText,
  headers: headers as [string, string][],
});

/** A response that can be passed on to the browser, such as to its cache. */
const responseOf = (sent: SentResponse): Response => new Response(sent.body, headOf(sent));

/** The client reads texts, and the files of downloads. */
const clientResponse = (sent: SentResponse): Response =>
  sent.body === null ? responseOf(sent) : new CompleteResponse(sent.body, headOf(sent));
