import type { Fetch } from "../../src/wire/transport.ts";

/** A received request. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
}

type Answerer = (received: Received) => Reply | Promise<Reply>;

/** A `fetch` that grants numbered tokens and answers all other requests as the test defines. */
export class ScriptedServer {
  readonly calls: Received[] = [];
  readonly tokenRequests: Received[] = [];
  answer: Answerer = () => ({ body: [] });
  grant: Answerer = () => ({
    status: 201,
    body: {
      access_token: `token-${this.tokenRequests.length}`,
      token_type: "bearer",
      expires_in: 1_799,
      scope: "ioc-management:read",
    },
  });

  readonly fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    const received = {
      method: request.method,
      url: pathname + search,
      headers: request.headers,
      body: await request.text(),
    };
    const isToken = pathname.endsWith("/oauth2/token");
    (isToken ? this.tokenRequests : this.calls).push(received);
    const reply = await (isToken ? this.grant : this.answer)(received);
    request.signal.throwIfAborted();
    return toResponse(reply);
  };

  /** The bearer tokens of the calls, in order. */
  get tokens(): readonly (string | undefined)[] {
    return this.calls.map(({ headers }) => headers.get("authorization")?.replace("Bearer ", ""));
  }
}

export function envelope(status: number, ...messages: readonly string[]): Reply {
  return {
    status,
    headers: { "x-trace-id": "7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10" },
    body: {
      meta: {
        query_time: 0.001,
        powered_by: "test",
        trace_id: "7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10",
      },
      errors: messages.map((message) => ({ code: status, message })),
    },
  };
}

function toResponse({ status = 200, headers = {}, body }: Reply): Response {
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/html" : "application/json; charset=utf-8";
  return new Response(text, { status, headers: { "content-type": type, ...headers } });
}
