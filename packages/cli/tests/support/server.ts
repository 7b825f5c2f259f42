import { checkedFetch } from "@security-platform/contract-tests";
import { start, type Outcome, type ProcessOptions, type Running } from "./process.ts";

/** The output of `secplat serve --json`. */
export interface Greeting {
  readonly url: string;
  readonly database: string;
  readonly ready_milliseconds: number;
  readonly client_id: string | null;
  readonly client_secret: string | null;
  readonly cid: string | null;
  readonly access_token: string | null;
}

export interface Server extends Running {
  readonly greeting: Greeting;
  /** Sends a request with the demo's token and checks the response against the document. */
  request(path: string, init?: RequestInit & { readonly token?: string | null }): Promise<Response>;
  stop(signal?: NodeJS.Signals): Promise<Outcome>;
}

const fetchChecked = checkedFetch(fetch);

/** `secplat serve` on a free port, ready. */
export async function serve(words: readonly string[], options: ProcessOptions): Promise<Server> {
  const running = start(["serve", "--port", "0", "--json", ...words], options);
  const [line] = await running.until("stdout", /^\{.*\}\n/);
  const greeting = JSON.parse(line) as Greeting;
  return {
    ...running,
    greeting,
    request: (path, { token = greeting.access_token, headers, ...init } = {}) =>
      fetchChecked(`${greeting.url}${path}`, {
        ...init,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(headers as Record<string, string> | undefined),
        },
      }),
    stop: (signal = "SIGTERM") => {
      running.child.kill(signal);
      return running.ended;
    },
  };
}

/** A token for these credentials. */
export async function signIn(
  { greeting }: Server,
  credentials: { readonly client_id: string | null; readonly client_secret: string | null },
): Promise<Response> {
  const { client_id, client_secret } = credentials;
  return fetchChecked(`${greeting.url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: client_id ?? "", client_secret: client_secret ?? "" }),
  });
}

export const indicatorsPath = "/iocs/entities/indicators/v1";

/** A request that creates one indicator for each value. */
export const creation = (values: readonly string[]): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    indicators: values.map((value) => ({
      type: "domain",
      value,
      severity: "high",
      action: "detect",
      platforms: ["linux"],
      applied_globally: true,
    })),
  }),
});

/** The values that the server has, sorted, by searching for each. */
export async function existingValues(
  server: Server,
  values: readonly string[],
  token?: string,
): Promise<readonly string[]> {
  const existing: string[] = [];
  for (let from = 0; from < values.length; from += 50) {
    const list = values.slice(from, from + 50).map((value) => `'${value}'`);
    const query = new URLSearchParams({ filter: `value:[${list.join(",")}]`, limit: "2000" });
    const response = await server.request(
      `/iocs/combined/indicator/v1?${query}`,
      token === undefined ? {} : { token },
    );
    const records = (await response.json()) as readonly { readonly value: string }[];
    existing.push(...records.map(({ value }) => value));
  }
  return existing.toSorted();
}
