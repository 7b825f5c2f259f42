/**
 * What the client does on every runtime. This file uses nothing but the client and what Node.js, Bun, Deno,
 * browsers and workers have in common.
 */
import {
  AuthenticationError,
  createClient,
  filters,
  InvalidRequestError,
  isNotFound,
  NetworkError,
  TimeoutError,
  type Client,
  type ClientOptions,
  type Fetch,
} from "@security-platform/client";

export interface World {
  readonly credentials: {
    readonly baseUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  /** Prints a value as the runtime does, with as much of its inside as possible. */
  readonly print: (value: unknown) => string;
}

interface Kit extends World {
  /** A client of the served platform. */
  readonly connect: (options?: ClientOptions) => Client;
}

/** Values of indicators that no other check and no other runtime creates. */
const newDomains = (count: number): readonly string[] => {
  const name = crypto.randomUUID();
  return Array.from({ length: count }, (_, index) => `${index}.${name}.example.com`);
};

const indicator = (value: string, source = "") =>
  ({
    type: "domain",
    value,
    source,
    action: "detect",
    severity: "low",
    platforms: ["linux"],
    applied_globally: true,
  }) as const;

/** Counts the requests of a path, and passes them on. */
function counting(path: string): { readonly fetch: Fetch; readonly count: () => number } {
  let count = 0;
  return {
    count: () => count,
    fetch: (request) => {
      if (new URL(request.url).pathname === path) count += 1;
      return fetch(request);
    },
  };
}

const checks: Readonly<Record<string, (kit: Kit) => Promise<void>>> = {
  "many calls share one token": async ({ connect }) => {
    const { fetch, count } = counting("/oauth2/token");
    await using client = connect({ fetch });
    await Promise.all(Array.from({ length: 20 }, () => client.ioc.listPlatforms()));
    expect("requests for a token", count(), 1);
  },

  "a revoked token is replaced": async ({ connect }) => {
    const { fetch, count } = counting("/oauth2/token");
    await using client = connect({ fetch });
    await client.ioc.listPlatforms();
    await client.revokeToken();
    await client.ioc.listPlatforms();
    expect("requests for a token", count(), 2);
  },

  "records are created, changed, cleared and deleted": async ({ connect }) => {
    await using client = connect();
    const [value = ""] = newDomains(1);
    const { data } = await client.ioc.createIndicators({
      body: { indicators: [indicator(value, "checks")] },
    });
    const id = data[0]?.id ?? "";
    const changes = [{ id, description: "Umlauts: äöü, emoji: 🐝", source: null }];
    await client.ioc.updateIndicators({ body: { indicators: changes } });
    const [changed] = (await client.ioc.getIndicators({ ids: [id] })).data;
    expect("description", changed?.description, "Umlauts: äöü, emoji: 🐝");
    expect("source", changed?.source ?? "", "");
    await client.ioc.deleteIndicators({ ids: [id] });
    const { data: after } = await client.ioc.getIndicators({ ids: [id] });
    expect("deleted", after[0]?.deleted, true);
  },

  "lists are read page by page, and batches are written": async ({ connect }) => {
    await using client = connect();
    const values = newDomains(25);
    const source = crypto.randomUUID();
    const written: string[] = [];
    const indicators = values.map((value) => indicator(value, source));
    for await (const { data, error } of client.ioc.createIndicators.inBatches(indicators, {
      size: 10,
      concurrency: 2,
    })) {
      if (error !== undefined) throw error;
      written.push(...data.map(({ value }) => value));
    }
    expect("written", written.join(), values.join());
    const filter = filters.indicators.where("source").equals(source);
    const read: string[] = [];
    for await (const { value } of client.ioc.listIndicators({ filter, limit: 10 })) {
      read.push(value);
    }
    expect("read", inOrder(read).join(), inOrder(values).join());
    const { data, page } = await client.ioc.listIndicators({ filter, limit: 10, offset: 20 });
    expect("the last page", data.length, 5);
    // A browser shows this header to a page only if the server lists it.
    expect("the total", page.total, 25);
    const first = await client.ioc.listIndicators({ filter, sort: "value.asc" }).first();
    expect("the first", first?.value, inOrder(values)[0]);
  },

  "files are uploaded and exports downloaded": async ({ connect }) => {
    await using client = connect();
    const { data: cases } = await client.caseManagement.createCase({
      body: { name: "Checks", severity: 10 },
    });
    const case_id = cases[0]?.id ?? "";
    const file = new File(["process,parent\n"], "tree.csv", { type: "text/csv" });
    const { data: files } = await client.caseManagement.uploadFile({ body: { case_id, file } });
    expect("the uploaded file", files[0]?.name, "tree.csv");
    const { data: ids } = await client.container.createExport({
      body: { resource: "assets.images", format: "json" },
    });
    const { data: job } = await client.container.waitForExport(ids[0] ?? "");
    const { data: blob } = await client.container.downloadExport({ id: job.id });
    expect("the downloaded file", Array.isArray(JSON.parse(await blob.text())), true);
  },

  "errors say what happened": async ({ connect }) => {
    await using client = connect();
    const ids = ["f".repeat(64)];
    const absent = await failure(client.ioc.getIndicators({ ids }));
    if (!isNotFound(absent, client.ioc.getIndicators)) throw absent;
    expect("missing", absent.missing.join(), ids.join());
    const body = { indicators: [{ ...indicator("not a domain") }] };
    const invalid = await failure(client.ioc.createIndicators({ body }));
    expect("a refused call", invalid instanceof InvalidRequestError, true);
    const nowhere = connect({ baseUrl: "http://127.0.0.1:9", retries: 0 });
    const lost = await failure(nowhere.ioc.listPlatforms());
    expect("no connection", lost instanceof NetworkError, true);
  },

  "a call is retried until it succeeds": async ({ connect }) => {
    const statuses = [503, 429];
    const waits: (number | undefined)[] = [];
    await using client = connect({
      fetch: (request) => {
        const status = request.url.includes("/oauth2/") ? undefined : statuses.shift();
        if (status === undefined) return fetch(request);
        const body = JSON.stringify({ errors: [{ code: status, message: "later" }] });
        const headers = { "content-type": "application/json", "retry-after": "0" };
        return Promise.resolve(new Response(body, { status, headers }));
      },
      hooks: { onRetry: ({ status }) => waits.push(status) },
    });
    const [value = ""] = newDomains(1);
    const { data } = await client.ioc.createIndicators({
      body: { indicators: [indicator(value)] },
    });
    expect("created", data[0]?.value, value);
    expect("retries", waits.join(), "503,429");
  },

  "a call ends when it is aborted or takes too long": async ({ connect }) => {
    const controller = new AbortController();
    const reason = new Error("no longer needed");
    await using aborted = connect({
      fetch: (request) => {
        if (!request.url.includes("/oauth2/")) controller.abort(reason);
        return fetch(request);
      },
    });
    const { signal } = controller;
    expect("the reason", await failure(aborted.ioc.listPlatforms({}, { signal })), reason);
    const silent: Fetch = (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason as Error));
      });
    const slow = connect({ fetch: silent, timeoutMilliseconds: 20, retries: 0 });
    const late = await failure(slow.ioc.listPlatforms());
    expect("a time-out", late instanceof TimeoutError, true);
  },

  "nothing prints a secret": async ({ connect, credentials, print }) => {
    const tokens: string[] = [];
    const lines: string[] = [];
    await using client = connect({
      debug: (line) => lines.push(line),
      fetch: async (request) => {
        const response = await fetch(request);
        if (!request.url.endsWith("/oauth2/token")) return response;
        tokens.push(((await response.clone().json()) as { access_token: string }).access_token);
        return response;
      },
    });
    const answer = await client.ioc.listPlatforms();
    const error = await failure(client.ioc.getIndicators({ ids: ["f".repeat(64)] }));
    const clientSecret = `${credentials.clientSecret.slice(0, -4)}nope`;
    const refused = await failure(connect({ clientSecret }).ioc.listPlatforms());
    expect("a wrong secret", refused instanceof AuthenticationError, true);
    expect("tokens", tokens.length, 1);
    expect("lines", lines.length > 0, true);
    const printed = [client, answer, error, refused, client.ioc.listPlatforms, lines]
      .flatMap((value) => [print(value), String(value), JSON.stringify(value) ?? ""])
      .join("\n");
    for (const secret of [credentials.clientSecret, clientSecret, ...tokens]) {
      if (printed.includes(secret)) throw new Error(`a secret is printed: ${printed}`);
    }
  },
};

/** Runs all checks and returns a line for each that failed, and the number of the others. */
export async function runChecks(world: World): Promise<{ passed: number; failed: string[] }> {
  const kit: Kit = {
    ...world,
    connect: (options = {}) => createClient({ ...world.credentials, ...options }),
  };
  const failed: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(kit);
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
    }
  }
  return { passed: Object.keys(checks).length - failed.length, failed };
}

function expect(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return;
  throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`);
}

/** The error of a call that must fail. */
async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call did not fail");
}

/** `toSorted` needs a newer library than programs of the client do. */
function inOrder(values: readonly string[]): readonly string[] {
  // oxlint-disable-next-line unicorn/no-array-sort -- see above
  return [...values].sort();
}
