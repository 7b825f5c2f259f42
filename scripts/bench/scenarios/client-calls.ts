import { randomUUID } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { createClient, type Client } from "@security-platform/client";
import type { CreateIndicatorsInput } from "@security-platform/client/ioc";
import type { BenchRun, Scenario } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
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

/** One call in both ways. */
type Ways = Readonly<Record<"client" | "fetch", () => Promise<unknown>>>;

/** Calls beside what a program writes with `fetch`, in turns. */
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

  const three = [page, create, get];
  const sum = (way: "client" | "fetch"): number =>
    three.reduce((total, times) => total + times[way], 0);
  return [
    line(
      "time of a page, a create and a get / bare fetch",
      sum("client"),
      sum("fetch"),
      `page ${share(page)}, create ${share(create)}, get ${share(get)}`,
    ),
    line("time of a get / bare fetch", get.client, get.fetch, "the smallest call"),
  ];
}

const line = (name: string, own: number, other: number, note: string): Result => ({
  name,
  figure: `${(own * 1_000).toFixed(0)} µs to ${(other * 1_000).toFixed(0)} µs`,
  ratio: own / other,
  target: 1.1,
  targetIs: "at most",
  note,
});

const share = ({ client, fetch: plain }: Readonly<Record<"client" | "fetch", number>>): string =>
  (client / plain).toFixed(2);

const waysOfGet = (url: string, headers: HeaderValues, client: Client, id: string): Ways => {
  const path = `${url}/iocs/entities/indicators/v1?ids=${id}`;
  const ids = [id];
  return {
    client: () => client.ioc.getIndicators({ ids }),
    fetch: async () => (await fetch(path, { headers })).json(),
  };
};

/** A page of the default size. */
const waysOfPage = (url: string, headers: HeaderValues, client: Client): Ways => ({
  client: () => client.ioc.listIndicators({ limit: 100 }),
  fetch: async () =>
    (await fetch(`${url}/iocs/combined/indicator/v1?limit=100`, { headers })).json(),
});

/** With an idempotency key in both ways, which costs the server a further write. */
function waysOfCreate(url: string, headers: HeaderValues, client: Client): Ways {
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
async function timeCalls(
  ways: Ways,
  seconds: number,
): Promise<Readonly<Record<keyof Ways, number>>> {
  const times = { client: [] as number[], fetch: [] as number[] };
  // The first round compiles the code.
  for (let round = 0; round <= 10 * seconds; round += 1) {
    for (const way of ["client", "fetch"] as const) {
      const began = performance.now();
      for (let call = 0; call < 100; call += 1) await ways[way]();
      if (round > 0) times[way].push((performance.now() - began) / 100);
    }
  }
  return { client: median(times.client), fetch: median(times.fetch) };
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
