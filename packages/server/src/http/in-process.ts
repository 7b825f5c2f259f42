import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { FastifyInstance } from "fastify";
import { headerBytes } from "../foundation/config.ts";
import { errors } from "../foundation/errors.ts";
import { withClientHeaders } from "./compat/client-headers.ts";
import {
  abortRequest,
  injectedRequest,
  InjectedResponse,
  withoutBody,
  type Injected,
  type ResponseSink,
} from "./in-process-exchange.ts";
import { representError } from "./responses/represent.ts";
import { addCommonHeaders } from "./request.ts";

/** The parts of a request before its body. */
interface Head {
  readonly method: string;
  /** The URL as a `Request` has it: absolute, with a path. */
  readonly url: string;
  /** Names in lower case. */
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

export function inProcess(
  app: FastifyInstance,
  { compat }: { readonly compat: boolean },
): InProcess {
  const inject = <Answer>(
    head: Head,
    body: Body,
    sinkOf: (reply: Reply<Answer>) => ResponseSink,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { signal } = head;
      signal.throwIfAborted();
      const request = injectedRequest(injectedOf(head, body), body.stream);
      const isRefused = headerBytesOf(request) > headerBytes;
      const headOf = compat && !isRefused ? clientHead : plainHead;
      const sink = sinkOf({ headOf, resolve, reject, signal, isHead: head.method === "HEAD" });
      const response = new InjectedResponse(request, sink);
      if (isRefused) {
        refuseHeaders(response);
        return;
      }
      const abort = (): void => {
        reject(signal.reason);
        abortRequest(request);
        response.destroy();
      };
      signal.addEventListener("abort", abort, { once: true });
      response.once("close", () => signal.removeEventListener("abort", abort));
      app.routing(request, response);
    });
  return {
    fetch: (request) => inject(request, streamedBody(request), streamedResponse),
    dispatch: ({ body, ...head }) => inject(head, completeBody(body), completeResponse),
  };
}

type Headers = ReturnType<ServerResponse["getHeaders"]>;

const headWith = (
  { statusCode, statusMessage }: ServerResponse,
  headers: Headers,
): ResponseHead => ({
  status: statusCode,
  statusText: statusMessage,
  headers: headerPairs(headers),
});

const plainHead = (response: ServerResponse): ResponseHead =>
  headWith(response, response.getHeaders());

const clientHead = (response: ServerResponse): ResponseHead =>
  headWith(response, withClientHeaders(response.getHeaders(), response.req.headers.host));

/** Settles the promise of a caller. */
interface Reply<Answer> {
  readonly headOf: (response: ServerResponse) => ResponseHead;
  readonly isHead: boolean;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The error of a body that ends too early. */
function lossOf({ aborted, reason }: AbortSignal): Error {
  if (!aborted) return new Error("the response was cut off");
  return reason instanceof Error ? reason : new Error("the request was aborted", { cause: reason });
}

function streamedResponse({
  headOf,
  isHead,
  signal,
  resolve,
  reject,
}: Reply<Response>): ResponseSink {
  let answered: ServerResponse | undefined;
  const content = new Readable({ read: () => void answered?.emit("drain") });
  return {
    head: (response) => {
      answered = response;
      const { headers, ...status } = headOf(response);
      const init = { ...status, headers: headers as [string, string][] };
      const hasBody = !isHead && !withoutBody.has(status.status);
      resolve(new Response(hasBody ? webStream(content) : null, init));
      // A caller that does not read to the end frees what the response comes from.
      content.once("close", () => void response.destroy());
      if (!hasBody) content.resume();
    },
    part: (bytes) => content.push(bytes),
    end: () => void content.push(null),
    cutOff: () => {
      if (answered === undefined) reject(lossOf(signal));
      else content.once("error", () => undefined).destroy(lossOf(signal));
    },
  };
}

function completeResponse({
  headOf,
  isHead,
  signal,
  resolve,
  reject,
}: Reply<CompleteResponse>): ResponseSink {
  const parts: Buffer[] = [];
  let head: ResponseHead | undefined;
  return {
    head: (response) => {
      head = headOf(response);
    },
    part: (bytes) => {
      parts.push(bytes);
      return true;
    },
    end: () => {
      if (head === undefined) return reject(lossOf(signal));
      const hasBody = !isHead && !withoutBody.has(head.status);
      const [first] = parts;
      const isOne = first !== undefined && parts.length === 1;
      resolve({ ...head, body: hasBody ? (isOne ? first : Buffer.concat(parts)) : null });
    },
    cutOff: () => reject(lossOf(signal)),
  };
}

/** A body, and the headers that announce it. */
interface Body {
  readonly stream: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

function streamedBody({ body, headers }: Request): Body {
  if (body === null) return completeBody(null);
  return {
    // With the DOM lib in scope, its stream type differs from that of Node.js.
    stream: Readable.fromWeb(body as unknown as NodeStream<Uint8Array>),
    headers: headers.has("content-length") ? {} : { "transfer-encoding": "chunked" },
  };
}

function completeBody(body: Uint8Array | null): Body {
  const stream = new Readable({
    read: () => {
      if (body !== null) stream.push(body);
      stream.push(null);
    },
  });
  return { stream, headers: body === null ? {} : { "content-length": String(body.length) } };
}

/** The host, and the path with the query. */
const partsOfUrl = /^https?:\/\/([^/]+)([^#]+)/;

function injectedOf({ method, url, headers }: Head, body: Body): Injected {
  const [, host = "", target = ""] = partsOfUrl.exec(url) ?? [];
  return {
    method,
    url: target,
    headers: { host, ...Object.fromEntries(headers), ...body.headers },
  };
}

/** A parser of HTTP counts the request line and the headers. */
const headerBytesOf = ({ url = "", rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length);

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

function refuseHeaders(response: ServerResponse): void {
  const traceId = randomUUID();
  const error = errors.headersTooLarge(headerBytes);
  const { headers, body } = representError(error, { traceId, elapsed: 0 });
  addCommonHeaders(headers, traceId);
  headers["content-length"] = String(Buffer.byteLength(body));
  response.writeHead(error.status, "Request Header Fields Too Large", headers);
  response.end(body);
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
