import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export const faults = [
  "drop before",
  "drop after",
  "truncate",
  "no answer before",
  "no answer after",
  "429",
  "429 with time",
  "503",
  "503 with time",
  "401",
] as const;

export type Fault = (typeof faults)[number];

/** Whether the client cannot know what the server did. */
export const leavesDoubt = (fault: Fault | "none"): boolean =>
  fault === "503" || /drop|truncate|no answer/.test(fault);

/** What happened to the record of one call. */
export interface History {
  /**
   * The fault of each attempt that arrived, or `none`. Attempts may arrive late and in another order, so they tell
   * their number in the header `x-attempt`.
   */
  readonly faults: (Fault | "none")[];
  creations: number;
  exists: boolean;
}

/**
 * An API of indicators that honours idempotency keys, and meets each request with the fault that `choose`
 * returns. The value or id of a record names the call.
 */
export async function startFaultyServer(
  choose: (record: string, attempt: number) => Fault | undefined,
) {
  const histories = new Map<string, History>();
  const answers = new Map<string, string>();
  let tokens = 0;

  function historyOf(record: string): History {
    const history = histories.get(record) ?? { faults: [], creations: 0, exists: false };
    histories.set(record, history);
    return history;
  }

  /** The status and body of a request that is carried out. */
  function act(method: string, record: string, key: string | undefined): [number, string] {
    const history = historyOf(record);
    if (method === "GET") return [200, JSON.stringify([{ id: record }])];
    if (method === "DELETE") {
      if (!history.exists) return [404, envelope(404)];
      history.exists = false;
      return [200, JSON.stringify([record])];
    }
    const stored = key === undefined ? undefined : answers.get(key);
    if (stored !== undefined) return [201, stored];
    history.creations += 1;
    const body = JSON.stringify([{ id: record }]);
    if (key !== undefined) answers.set(key, body);
    return [201, body];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: string, headers = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    };
    const { method = "", url = "", headers } = request;
    if (url.startsWith("/oauth2/")) {
      const token = { access_token: `token-${(tokens += 1)}`, expires_in: 1_799 };
      return send(201, JSON.stringify(token));
    }
    const record =
      method === "POST"
        ? ((await json(request)) as { indicators: [{ value: string }] }).indicators[0].value
        : String(new URL(url, "http://server").searchParams.get("ids"));
    const history = historyOf(record);
    const number = Number(headers["x-attempt"]);
    const fault = choose(record, number);
    history.faults[number - 1] = fault ?? "none";
    if (fault === "drop before") return void request.socket.destroy();
    if (fault === "no answer before") return;
    if (fault === "401" || fault?.startsWith("429") || fault?.startsWith("503")) {
      const status = Number(fault.slice(0, 3));
      return send(status, envelope(status), fault.endsWith("time") ? { "retry-after": "1" } : {});
    }
    const [status, body] = act(method, record, headers["idempotency-key"] as string | undefined);
    if (fault === "no answer after") return;
    if (fault === "drop after") return void request.socket.destroy();
    if (fault !== "truncate") return send(status, body);
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.write(body.slice(0, 3), () => response.destroy());
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  /** Resolves when no request can arrive any more. */
  const close = async (): Promise<void> => {
    const closed = server.listening ? once(server, "close") : undefined;
    server.closeAllConnections();
    server.close();
    await closed;
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, histories, historyOf, close };
}

const envelope = (code: number): string =>
  JSON.stringify({ meta: {}, errors: [{ code, message: `status ${code}` }] });
