import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { FastifyInstance, InjectOptions } from "fastify";
import { headerBytes } from "../config.ts";
import { errors } from "../errors.ts";
import { withClientHeaders } from "./compat/client-headers.ts";
import { representError } from "./responses/represent.ts";
import { addCommonHeaders } from "./request.ts";

type Fetch = (request: Request) => Promise<Response>;

/** Headers that describe a connection; an in-process fetch has none. */
const ofConnections = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Statuses of responses that have no body. */
const withoutBody = new Set([204, 205, 304]);

/**
 * Handles requests without a network, as a server handles those of its connections. Bodies are streams in both
 * directions. A request whose signal is aborted rejects with its reason.
 */
export const fetchFrom =
  (app: FastifyInstance, { compat }: { readonly compat: boolean }): Fetch =>
  async (request) => {
    const { signal } = request;
    signal.throwIfAborted();
    const injected = injectedOf(request);
    if (headerBytesOf(injected) > headerBytes) return headersTooLarge();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const { statusCode, statusMessage, headers, stream, raw } = await Promise.race([
        app.inject(injected),
        aborted.promise,
      ]);
      const content = stream();
      // A caller that does not read to the end frees what the response comes from.
      content.once("close", () => void raw.res.destroy());
      const hasBody = request.method !== "HEAD" && !withoutBody.has(statusCode);
      if (!hasBody) content.resume();
      return new Response(hasBody ? webStream(content) : null, {
        status: statusCode,
        statusText: statusMessage,
        headers: webHeaders(compat ? withClientHeaders(headers) : headers),
      });
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };

type Injected = InjectOptions & {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadAsStream: true;
};

function injectedOf({ method, url, headers, body, signal }: Request): Injected {
  const { pathname, search, host } = new URL(url);
  const isChunked = body !== null && !headers.has("content-length");
  return {
    method: method as NonNullable<InjectOptions["method"]>,
    url: `${pathname}${search}`,
    headers: {
      host,
      ...Object.fromEntries(headers),
      ...(isChunked ? { "transfer-encoding": "chunked" } : {}),
    },
    // With the DOM lib in scope, its stream type differs from that of Node.js.
    ...(body === null
      ? {}
      : { payload: Readable.fromWeb(body as unknown as NodeStream<Uint8Array>) }),
    payloadAsStream: true,
    signal,
  };
}

/** A parser of HTTP counts the request line and the headers. */
const headerBytesOf = ({ url, headers }: Injected): number =>
  Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    url.length,
  );

/** Unlike `Readable.toWeb`, tolerates parts that arrive after a caller has cancelled. */
function webStream(content: Readable): NonNullable<ConstructorParameters<typeof Response>[0]> {
  const parts = content[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const stream = new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(copyOf(value));
      },
      cancel: () => void content.destroy(),
    },
    { highWaterMark: 0 },
  );
  // With the DOM lib in scope, its stream type differs from that of Node.js.
  return stream as unknown as NonNullable<ConstructorParameters<typeof Response>[0]>;
}

/** The bytes of a small buffer share their memory with others. */
function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length);
  // The constructor copies a `Buffer` of a browser item by item.
  copy.set(bytes);
  return copy;
}

function headersTooLarge(): Response {
  const traceId = randomUUID();
  const error = errors.headersTooLarge(headerBytes);
  const { headers, body } = representError(error, { traceId, elapsed: 0 });
  addCommonHeaders(headers, traceId);
  headers["content-length"] = String(Buffer.byteLength(body));
  const statusText = "Request Header Fields Too Large";
  return new Response(body, { status: error.status, statusText, headers });
}

function webHeaders(headers: NodeJS.Dict<number | string | readonly string[]>): Headers {
  const converted = new Headers();
  for (const [name, values = []] of Object.entries(headers)) {
    if (ofConnections.has(name.toLowerCase())) continue;
    for (const value of [values].flat()) converted.append(name, String(value));
  }
  return converted;
}
