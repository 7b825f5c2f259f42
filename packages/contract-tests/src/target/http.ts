import {
  globalAgent as httpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { globalAgent as httpsAgent, request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Fetch } from "../conformance/checked-fetch.ts";
import type { HttpRequest } from "../requests/request.ts";
import type { Answer } from "./answer.ts";

/** A complete response. */
export type Received = Pick<Answer, "status" | "headers" | "text">;

/** Sends one request to a service and reads the whole response. Never follows a redirect. */
export type Send = (
  request: Pick<HttpRequest, "method" | "url" | "headers" | "body">,
  timeoutMilliseconds: number,
) => Promise<Received>;

/** Sends to a base URL: with `fetch` if it is given, otherwise with `node:http`. */
export function senderTo(baseUrl: string, fetch?: Fetch): Send {
  const trimmed = baseUrl.replace(/(?<!\/)\/+$/, "");
  return fetch === undefined ? nodeSender(new URL(trimmed)) : fetchSender(trimmed, fetch);
}

/** Uses kept-alive connections, at a fifth of the cost of `fetch`. */
function nodeSender(base: URL): Send {
  const isSecure = base.protocol === "https:";
  const open = isSecure ? httpsRequest : httpRequest;
  const { hostname, port } = urlToHttpOptions(base);
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, "");
  return async ({ method, url, headers, body }, timeoutMilliseconds) => {
    const options = {
      hostname,
      port,
      method,
      path: prefix + url,
      headers: ["host", base.host, ...ownHeaders, ...bodyHeaders(method, body), ...flat(headers)],
    };
    const outgoing = open({ ...options, agent: isSecure ? httpsAgent : httpAgent });
    try {
      return await exchange(outgoing, body, timeoutMilliseconds);
    } catch (error) {
      // The service closed the connection after its previous response, so it never saw the request.
      const isStale = outgoing.reusedSocket && (error as { code?: unknown }).code === "ECONNRESET";
      if (!isStale) throw error;
      return exchange(open({ ...options, agent: false }), body, timeoutMilliseconds);
    }
  };
}

const exchange = (
  outgoing: ClientRequest,
  body: string | undefined,
  timeoutMilliseconds: number,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DOMException("no complete response in time", "TimeoutError"));
      outgoing.destroy();
    }, timeoutMilliseconds);
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      reject(error);
    };
    let answer: IncomingMessage | undefined;
    outgoing.on("error", (error) => {
      // What comes after a complete response, such as more bytes than announced, is ignored.
      if (answer?.complete !== true) fail(error);
    });
    outgoing.on("response", (response) => {
      answer = response;
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", (error) => fail(new Error(error.message, { cause: error })));
      response.on("end", () => {
        clearTimeout(timer);
        try {
          resolve(receivedFrom(response, parts));
        } catch (error) {
          reject(error);
        }
      });
    });
    // `node:http` joins a text with the headers, which must keep their bytes.
    outgoing.end(body === undefined || isAscii(body) ? body : Buffer.from(body), "latin1");
  });

const fetchSender =
  (baseUrl: string, fetch: Fetch): Send =>
  async ({ method, url, headers, body }, timeoutMilliseconds) => {
    const response = await fetch(baseUrl + url, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMilliseconds),
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };

/** The service and gateways in front of it may compress responses. */
const ownHeaders = ["accept-encoding", "gzip, deflate, br", "user-agent", "contract-tests"];

const takesBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

function bodyHeaders(method: string, body: string | undefined): readonly string[] {
  if (body === undefined && !takesBody.has(method)) return [];
  return ["content-length", String(Buffer.byteLength(body ?? ""))];
}

const flat = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).flat();

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

export function receivedFrom(response: IncomingMessage, parts: readonly Buffer[]): Received {
  const headers = joinedHeaders(response.rawHeaders);
  const [only] = parts;
  const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  const text = decoded(bytes, headers["content-encoding"]).toString("utf8");
  return {
    status: response.statusCode ?? 0,
    headers,
    // A byte order mark is not part of a text.
    text: text.startsWith("\uFEFF") ? text.slice(1) : text,
  };
}

/** Repeated headers are one list (RFC 9110 §5.3). `response.headers` would drop some of them. */
function joinedHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase();
    const value = raw[at + 1] ?? "";
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Decodes a body by its `Content-Encoding`, the last coding first. An unknown coding leaves the bytes unchanged. */
function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || bytes.length === 0) return bytes;
  let result = bytes;
  for (const name of encoding
    .toLowerCase()
    .split(",")
    .map((each) => each.trim())
    .toReversed()) {
    const decode = decoders[name];
    if (decode === undefined) return result;
    result = decode(result);
  }
  return result;
}
