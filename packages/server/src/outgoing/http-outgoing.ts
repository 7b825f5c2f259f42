import { request as requestPlain, type IncomingMessage, type RequestOptions } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { AddressRules } from "./addresses.ts";
import {
  OutgoingRefusedError,
  type Outgoing,
  type OutgoingDownload,
  type OutgoingQuery,
  type OutgoingRequest,
  type OutgoingResponse,
} from "./outgoing.ts";
import { resolveHost, type Resolve } from "./resolve.ts";

export interface HttpOutgoingParts {
  /** Networks that are not public and that the operator allows: `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
  /** Default: the system's name servers. */
  readonly resolve?: Resolve;
  /** Maximum time of a request, and of a download's pause between two chunks. Default: 10 seconds. */
  readonly milliseconds?: number;
}

const expectedUrl = "expected a URL with https";

/** Bytes of a response to a POST that are read; its content has no meaning here. */
const longestReply = 64 * 1024;
/** Bytes of a response to a GET. */
const longestContent = 4 * 1024 * 1024;

interface Target {
  readonly url: URL;
  /** Checked; the connection goes to one of them. */
  readonly addresses: readonly string[];
}

/**
 * Requests to URLs that tenants choose. A URL must lead to public addresses only: they are checked after
 * the host name is resolved, and the connection is made to the very addresses that were checked.
 * Redirects are not followed.
 */
export class HttpOutgoing implements Outgoing {
  readonly #rules: AddressRules;
  readonly #resolve: Resolve;
  readonly #milliseconds: number;

  constructor({
    allowedNetworks,
    resolve = resolveHost,
    milliseconds = 10_000,
  }: HttpOutgoingParts) {
    this.#rules = new AddressRules(allowedNetworks);
    this.#resolve = resolve;
    this.#milliseconds = milliseconds;
  }

  async refusal(text: string): Promise<string | null> {
    try {
      await this.#target(text);
      return null;
    } catch (error) {
      return error instanceof OutgoingRefusedError ? error.message : null;
    }
  }

  async post(text: string, { body, ...query }: OutgoingRequest): Promise<number> {
    const options = { method: "POST", longest: longestReply, body };
    return (await this.#exchange(text, query, options)).status;
  }

  get(text: string, query: OutgoingQuery): Promise<OutgoingResponse> {
    return this.#exchange(text, query, { method: "GET", longest: longestContent, body: "" });
  }

  head(text: string, query: OutgoingQuery): Promise<OutgoingResponse> {
    return this.#exchange(text, query, { method: "HEAD", longest: longestReply, body: "" });
  }

  async download(text: string, { headers, signal }: OutgoingQuery): Promise<OutgoingDownload> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#milliseconds);
    const either = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
    try {
      const target = await before(either, this.#target(text));
      const response = await begin(target, { method: "GET", headers, signal: either }, "");
      response.setTimeout(this.#milliseconds, () => void response.destroy(this.#noData()));
      const { statusCode: status = 0, headers: received } = response;
      return { status, headers: received, content: response };
    } catch (error) {
      if (!limit.signal.aborted) throw error;
      throw this.#noResponse(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #noData(): Error {
    return new Error(`no data for ${this.#milliseconds / 1_000} s`);
  }

  #noResponse(cause: unknown): Error {
    return new Error(`no response within ${this.#milliseconds / 1_000} s`, { cause });
  }

  async #exchange(
    text: string,
    { headers, signal }: OutgoingQuery,
    { method, longest, body }: { method: string; longest: number; body: string },
  ): Promise<OutgoingResponse> {
    const limit = AbortSignal.timeout(this.#milliseconds);
    const either = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    try {
      const target = await before(either, this.#target(text));
      return await send(target, { method, headers, signal: either }, body, longest);
    } catch (error) {
      if (!limit.aborted || signal?.aborted === true) throw error;
      throw this.#noResponse(error);
    }
  }

  async #target(text: string): Promise<Target> {
    const url = readUrl(text);
    const isPlain = url.protocol === "http:";
    if (isPlain && !this.#rules.allowsAny) throw new OutgoingRefusedError(expectedUrl);
    // The URL parser has turned every spelling of an IPv4 address into the usual one.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(host) === 0 ? await this.#resolve(host) : [host];
    for (const address of addresses) {
      const refusal = this.#rules.refusal(address);
      if (refusal === null) continue;
      const description =
        address === host ? `${host} is ${refusal}` : `${host} is ${address}, ${refusal}`;
      throw new OutgoingRefusedError(
        `${description}; only public addresses and the networks that the operator allows can be used`,
      );
    }
    if (addresses.length === 0) throw new Error(`${host} has no addresses`);
    if (isPlain && !addresses.every((each) => this.#rules.isAllowed(each))) {
      throw new OutgoingRefusedError(expectedUrl);
    }
    return { url, addresses };
  }
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !["https:", "http:"].includes(url.protocol)) {
    throw new OutgoingRefusedError(expectedUrl);
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingRefusedError("expected a URL without user name and password");
  }
  return url;
}

type SentOptions = Pick<RequestOptions, "method" | "headers" | "signal">;

/** Sends a request. Resolves when the headers of the response have arrived. */
function begin(
  { url, addresses }: Target,
  options: SentOptions,
  body: string,
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false, lookup: answering(addresses) });
    sent.on("error", reject);
    sent.once("response", resolve);
    sent.end(body);
  });
}

async function send(
  target: Target,
  options: SentOptions,
  body: string,
  longest: number,
): Promise<OutgoingResponse> {
  const response = await begin(target, options, body);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longest) throw new Error("the response is too long");
    chunks.push(chunk);
  }
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: Buffer.concat(chunks).toString("utf8") };
}

/** Looks nothing up: gives the addresses that were checked. */
const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const resolved = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all === true) callback(null, resolved);
    else callback(null, resolved[0]?.address ?? "", resolved[0]?.family ?? 4);
  };

/** Settles as the promise does, or rejects when the signal is aborted first. */
function before<Result>(signal: AbortSignal, promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
