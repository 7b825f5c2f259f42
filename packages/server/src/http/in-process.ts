import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { FastifyInstance, InjectOptions } from "fastify";
import { headerBytes } from "../config.ts";
import { errors } from "../errors.ts";
import { withClientHeaders } from "./compat/client-headers.ts";
import { representError } from "./responses/represent.ts";
import { addCommonHeaders } from "./request.ts";

/** The parts of a request before its body. */
interface Head {
  readonly method: string;
  /** In the form of a `Request`, which is absolute and has a path. */
  readonly url: string;
  readonly headers: Iterable<readonly [string, string]>;
  readonly signal: AbortSignal;
}

/** A request whose body is complete. */
export interface CompleteRequest extends Head {
  readonly body: Uint8Array | null;
}

interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
}

export interface CompleteResponse extends ResponseHead {
  /** Null for HEAD, and for a status without a body. */
  readonly body: Uint8Array | null;
}

interface StreamedResponse extends ResponseHead {
  readonly content: Readable | null;
}

/** Handles requests without a network, as a server handles those of its connections. */
export interface InProcess {
  /** Bodies are streams in both directions. A request whose signal is aborted rejects with its reason. */
  fetch(request: Request): Promise<Response>;
  /**
   * Like `fetch`, with complete bodies and without the objects of `fetch`, which take as long as a small request. Rejects
   * if the response is cut off.
   */
  dispatch(request: CompleteRequest): Promise<CompleteResponse>;
}

/** Headers that describe a connection; a request in this process has none. */
const ofConnections = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Statuses of responses that have no body. */
const withoutBody = new Set([204, 205, 304]);

export function inProcess(
  app: FastifyInstance,
  { compat }: { readonly compat: boolean },
): InProcess {
  const answer = async (head: Head, payload: Payload | null): Promise<StreamedResponse> => {
    const { signal } = head;
    signal.throwIfAborted();
    const injected = injectedOf(head, payload);
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
      const hasBody = head.method !== "HEAD" && !withoutBody.has(statusCode);
      if (!hasBody) content.resume();
      return {
        status: statusCode,
        statusText: statusMessage,
        headers: headerPairs(compat ? withClientHeaders(headers) : headers),
        content: hasBody ? content : null,
      };
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };
  return {
    fetch: async (request) => {
      const { content, headers, ...status } = await answer(request, streamedPayload(request));
      const init = { ...status, headers: headers as [string, string][] };
      return new Response(content === null ? null : webStream(content), init);
    },
    dispatch: async ({ body, ...head }) => {
      const { content, ...responseHead } = await answer(head, completePayload(body));
      return { ...responseHead, body: content === null ? null : await contentOf(content) };
    },
  };
}

/** A body, and the headers that announce it. */
interface Payload {
  readonly stream: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

function streamedPayload({ body, headers }: Request): Payload | null {
  if (body === null) return null;
  return {
    // With the DOM lib in scope, its stream type differs from that of Node.js.
    stream: Readable.fromWeb(body as unknown as NodeStream<Uint8Array>),
    headers: headers.has("content-length") ? {} : { "transfer-encoding": "chunked" },
  };
}

function completePayload(body: Uint8Array | null): Payload | null {
  if (body === null) return null;
  const stream = new Readable({
    read: () => {
      stream.push(body);
      stream.push(null);
    },
  });
  return { stream, headers: { "content-length": String(body.length) } };
}

type Injected = InjectOptions & {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadAsStream: true;
};

/** The host, and the path with the query. */
const partsOfUrl = /^https?:\/\/([^/]+)([^#]+)/;

function injectedOf({ method, url, headers, signal }: Head, payload: Payload | null): Injected {
  const [, host = "", target = ""] = partsOfUrl.exec(url) ?? [];
  return {
    method: method as NonNullable<InjectOptions["method"]>,
    url: target,
    headers: { host, ...Object.fromEntries(headers), ...payload?.headers },
    ...(payload === null ? {} : { payload: payload.stream }),
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

function contentOf(content: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    const cutOff = (): void => reject(new Error("the response was cut off"));
    content.on("data", (part: Uint8Array) => parts.push(part));
    content.once("end", () => {
      // An error takes long to create.
      content.off("close", cutOff);
      const [first] = parts;
      resolve(first !== undefined && parts.length === 1 ? first : Buffer.concat(parts));
    });
    content.once("error", reject);
    content.once("close", cutOff);
  });
}

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

function headersTooLarge(): StreamedResponse {
  const traceId = randomUUID();
  const error = errors.headersTooLarge(headerBytes);
  const { headers, body } = representError(error, { traceId, elapsed: 0 });
  addCommonHeaders(headers, traceId);
  headers["content-length"] = String(Buffer.byteLength(body));
  return {
    status: error.status,
    statusText: "Request Header Fields Too Large",
    headers: headerPairs(headers),
    content: Readable.from([Buffer.from(body)]),
  };
}

function headerPairs(
  headers: NodeJS.Dict<number | string | readonly string[]>,
): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (const [name, values = []] of Object.entries(headers)) {
    if (ofConnections.has(name.toLowerCase())) continue;
    for (const value of [values].flat()) pairs.push([name, String(value)]);
  }
  return pairs;
}
