import { randomUUID } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { createClient, type Client } from "@security-platform/client";
import type { CreateIndicatorsInput } from "@security-platform/client/ioc";
import { request } from "undici";
import type { BenchRun, Scenario } from "../scenario.ts";
import { median, printed, startOn, stop, type Result } from "../measure.ts";
import { fill, indicator, start } from "../platform.ts";

export const clientScenarios: readonly Scenario[] = [
  { name: "calls of the client", run: calls },
  { name: "lists of the client", run: lists },
  { name: "memory of the client", run: memory },
];

const credentials = { clientId: "a", clientSecret: "b" };
const record = {
  id: "a".repeat(64),
  type: "domain",
  value: "a.example.com",
  note: "x".repeat(600),
};

type HeaderValues = Readonly<Record<string, string>>;

/** One call in several ways. */
type Ways<Way extends string> = Readonly<Record<Way, () => Promise<unknown>>>;

/** Calls beside what a program writes with `fetch`, and with undici, in turns. */
async function calls({ folder, seconds }: BenchRun): Promise<readonly Result[]> {
  const filled = await fill(`sqlite:${join(folder, "calls.sqlite")}`, 100);
  const platform = await start(filled, { processor: 0 });
  const { id: clientId, secret: clientSecret } = filled.credentials;
  const client = createClient({ baseUrl: platform.url, clientId, clientSecret });
  const { data } = await client.ioc.listIndicators({ limit: 1 });
  const id = data[0]?.id ?? "";
  const { url, headers } = platform;
  const page = await timeCalls(waysOfPage(url, headers, client), seconds);
  const create = await timeCalls(waysOfCreate(url, headers, client), seconds);
  const get = await timeCalls(waysOfGet(url, headers, client, id), seconds);
  await client.close();
  await platform.stop();

  const file = join(folder, "record.json");
  writeFileSync(file, JSON.stringify([record]));
  const program = fileURLToPath(new URL("../bare-server.ts", import.meta.url));
  const server = startOn(0, [program, file]);
  const bare = (await printed(server, /ready (\S+)/))[1] ?? "";
  const ofRoute = await timeCalls(
    waysOfGet(
      bare,
      { authorization: "Bearer token", accept: "application/json" },
      createClient({ baseUrl: bare, ...credentials }),
      record.id,
    ),
    seconds,
  );
  await stop(server);
  const three = [page, create, get];
  const sum = (way: "client" | "fetch"): number =>
    three.reduce((total, times) => total + times[way], 0);
  return [
    line("time of a page, a create and a get / bare fetch", sum("client"), sum("fetch"), {
      target: 1.1,
      note: `page ${share(page)}, create ${share(create)}, get ${share(get)}`,
    }),
    line("time of a get / bare fetch", get.client, get.fetch, {
      target: 1.1,
      note: "the smallest call",
    }),
    line("time of a get / request of undici", get.client, get.undici, {
      target: 3,
      note: "stated; the client sends with fetch",
    }),
    line(
      "time of a get / bare fetch, of a route that does nothing",
      ofRoute.client,
      ofRoute.fetch,
      {
        target: 1.5,
        note: "stated; no server of the API answers as fast",
      },
    ),
  ];
}

const line = (
  name: string,
  own: number,
  other: number,
  { target, note }: Pick<Result, "target" | "note">,
): Result => ({
  name,
  figure: `${(own * 1_000).toFixed(0)} µs to ${(other * 1_000).toFixed(0)} µs`,
  ratio: own / other,
  target,
  targetIs: "at most",
  ...(note === undefined ? {} : { note }),
});

const share = ({ client, fetch: plain }: Readonly<Record<"client" | "fetch", number>>): string =>
  (client / plain).toFixed(2);

const waysOfGet = (
  url: string,
  headers: HeaderValues,
  client: Client,
  id: string,
): Ways<"client" | "fetch" | "undici"> => {
  const path = `${url}/iocs/entities/indicators/v1?ids=${id}`;
  const ids = [id];
  return {
    client: () => client.ioc.getIndicators({ ids }),
    fetch: async () => (await fetch(path, { headers })).json(),
    undici: async () => (await request(path, { headers })).body.json(),
  };
};

/** A page of the default size. */
const waysOfPage = (
  url: string,
  headers: HeaderValues,
  client: Client,
): Ways<"client" | "fetch"> => ({
  client: () => client.ioc.listIndicators({ limit: 100 }),
  fetch: async () =>
    (await fetch(`${url}/iocs/combined/indicator/v1?limit=100`, { headers })).json(),
});

/** With an idempotency key in both ways, which costs the server a further write. */
function waysOfCreate(
  url: string,
  headers: HeaderValues,
  client: Client,
): Ways<"client" | "fetch"> {
  let count = 0;
  const body = (): CreateIndicatorsInput["body"] => {
    count += 1;
    return { indicators: [indicator(count, "call")] } as CreateIndicatorsInput["body"];
  };
  return {
    client: () => client.ioc.createIndicators({ body: body() }),
    fetch: async () => {
      const response = await fetch(`${url}/iocs/entities/indicators/v1`, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          "idempotency-key": randomUUID(),
        },
        body: JSON.stringify(body()),
      });
      return response.json();
    },
  };
}

/** Milliseconds a call, in each way. */
async function timeCalls<Way extends string>(
  ways: Ways<Way>,
  seconds: number,
): Promise<Readonly<Record<Way, number>>> {
  const names = Object.keys(ways) as Way[];
  const times = new Map(names.map((name): [Way, number[]] => [name, []]));
  // The first round compiles the code.
  for (let round = 0; round <= 10 * seconds; round += 1) {
    for (const [name, measured] of times) {
      const began = performance.now();
      for (let call = 0; call < 100; call += 1) await ways[name]();
      if (round > 0) measured.push((performance.now() - began) / 100);
    }
  }
  return Object.fromEntries(
    [...times].map(([name, measured]) => [name, median(measured)]),
  ) as Record<Way, number>;
}

/** All records by the client, and page by page by hand. */
async function lists({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const filled = await fill(`sqlite:${join(folder, "lists.sqlite")}`, 25_000 * scale);
  const platform = await start(filled, { processor: 0 });
  const { id: clientId, secret: clientSecret } = filled.credentials;
  const client = createClient({ baseUrl: platform.url, clientId, clientSecret });
  const byHand = async (): Promise<number> => {
    let count = 0;
    let after: string | null = "";
    while (after !== null) {
      const query = after === "" ? "" : `&after=${encodeURIComponent(after)}`;
      const response = await fetch(
        `${platform.url}/iocs/combined/indicator/v1?limit=2000${query}`,
        {
          headers: platform.headers,
        },
      );
      const page = (await response.json()) as { value: string }[];
      for (const { value } of page) if (value !== "") count += 1;
      after = response.headers.get("x-pagination-after");
    }
    return count;
  };
  const byClient = async (): Promise<number> => {
    let count = 0;
    for await (const { value } of client.ioc.listIndicators()) if (value !== "") count += 1;
    return count;
  };
  const ratios: number[] = [];
  let read = 0;
  for (let round = 0; round < 9; round += 1) {
    const began = performance.now();
    const expected = await byHand();
    const between = performance.now();
    read = await byClient();
    ratios.push((performance.now() - between) / (between - began));
    if (read !== expected) throw new Error(`read ${read} of ${expected} records`);
  }
  await client.close();
  await platform.stop();
  return [
    {
      name: "time of a list by the client / page by page",
      figure: `${read} records`,
      ratio: median(ratios),
      target: 1.3,
      targetIs: "at most",
    },
  ];
}

/** The heap while a million records are iterated, compared with that after the first tenth. */
async function memory({ scale }: BenchRun): Promise<readonly Result[]> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const page = JSON.stringify(Array.from({ length: 2_000 }, () => record));
  const pages = Math.round(500 * scale);
  let sent = 0;
  const client = createClient({
    baseUrl: "http://api.test",
    ...credentials,
    fetch: async ({ url }) => {
      if (url.endsWith("/oauth2/token"))
        return Response.json({ access_token: "t", expires_in: 1_799 });
      sent += 1;
      const headers = new Headers({ "content-type": "application/json" });
      if (sent < pages) headers.set("x-pagination-after", String(sent));
      return new Response(page, { headers });
    },
  });
  let count = 0;
  let early = 0;
  for await (const { id } of client.ioc.listIndicators()) {
    if (id !== "") count += 1;
    if (count === pages * 200) early = used();
  }
  return [
    {
      name: "growth of the client's heap while listing, MB",
      figure: `${count} records`,
      ratio: used() - early,
      target: 5,
      targetIs: "at most",
    },
  ];
}
