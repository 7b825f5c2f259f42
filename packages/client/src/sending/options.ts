import { maximumDelay, systemClock, type Clock } from "../clock.ts";
import type { Scope } from "../generated/names.ts";
import type { Authorization } from "./outgoing.ts";
import type { Hooks } from "./hooks.ts";
import type { Fetch, Send } from "../wire/transport.ts";

/** Where the API is, and who calls it. */
export interface Credentials {
  /** URL of the API: `https://host[:port]`, with a path if it is served below one. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Acts for this child of the client's tenant. */
  readonly memberCid?: string | undefined;
}

/** Options of a connection, apart from its credentials. */
export interface ConnectionOptions {
  /** Scopes to request. Default: all scopes of the client. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Decides when a token expires, and waits for retries. */
  readonly clock?: Clock | undefined;
  /** A number from 0 to below 1, for the times between retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /**
   * Time limit of a request with its response, or of the next piece of a file. Default: 60,000; `Infinity` for no
   * limit.
   */
  readonly timeoutMilliseconds?: number | undefined;
  /** Maximum number of retries of a call. Default: 2; 0 for none. */
  readonly retries?: number | undefined;
  /** Time after the start of a call in which retries may start. Default: 60,000. */
  readonly retryWithinMilliseconds?: number | undefined;
  /**
   * Whether calls that would act again carry a generated `Idempotency-Key`, so that they are repeated after a lost
   * response as well. Default: true. Set it to false for a server that ignores the header, which would act twice.
   */
  readonly idempotencyKeys?: boolean | undefined;
  /** Maximum number of concurrent requests. Default: 50. */
  readonly concurrency?: number | undefined;
  /** The only hosts, with their ports, that requests may be sent to. Default: the host of `baseUrl`. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Sent as `User-Agent`. Default: that of the runtime. */
  readonly userAgent?: string | undefined;
}

export interface Settings extends Credentials, Omit<ConnectionOptions, "fetch"> {
  readonly send: Send;
  /** Replaces the token. */
  readonly authorization?: Authorization;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMilliseconds: number;
  readonly retries: number;
  readonly retryWithinMilliseconds: number;
  readonly idempotencyKeys: boolean;
  readonly concurrency: number;
  readonly hooks: Hooks;
}

/**
 * The options with defaults. Throws a `TypeError` or a `RangeError` that names the invalid option.
 */
export function checkOptions(options: Credentials & ConnectionOptions): Settings {
  requireText("clientId", options.clientId);
  requireText("clientSecret", options.clientSecret);
  requireText("memberCid", options.memberCid ?? "none");
  if (options.scopes?.length === 0) {
    throw new RangeError("scopes must not be an empty list; omit it for all");
  }
  const { fetch: own } = options;
  const settings = {
    ...options,
    baseUrl: checkBaseUrl(options.baseUrl, options.allowedHosts),
    // `fetch` is looked up at each call, and called without `this`, because browsers reject any other `this`. It makes
    // a `Request` itself, which takes as long as the rest of a call.
    send: (url, init) => (own === undefined ? fetch(url, init) : own(new Request(url, init))),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    timeoutMilliseconds: options.timeoutMilliseconds ?? 60_000,
    retries: options.retries ?? 2,
    retryWithinMilliseconds: options.retryWithinMilliseconds ?? 60_000,
    idempotencyKeys: options.idempotencyKeys ?? true,
    concurrency: options.concurrency ?? 50,
    hooks: options.hooks ?? {},
  } satisfies Settings;
  const { concurrency, timeoutMilliseconds } = settings;
  if (!(concurrency >= 1)) {
    throw new RangeError(`concurrency must be 1 or more, not ${concurrency}`);
  }
  checkTimeout(timeoutMilliseconds);
  return settings;
}

/** The error does not repeat the value, which may be a secret. */
export function requireText(name: string, value: unknown): void {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`${name} must be a non-empty string`);
  }
}

function checkBaseUrl(text: string, allowedHosts: readonly string[] | undefined): string {
  if (!URL.canParse(text)) throw new TypeError(`baseUrl is not an absolute URL: ${text}`);
  const { protocol, username, password, search, hash, host, origin, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new TypeError(`baseUrl must start with https:// or http://, not ${protocol}`);
  }
  if (username !== "" || password !== "") {
    throw new TypeError("baseUrl must not contain credentials; set clientId and clientSecret");
  }
  if (search !== "" || hash !== "") throw new TypeError("baseUrl must end with its path");
  if (allowedHosts !== undefined && !allowedHosts.includes(host)) {
    throw new TypeError(`baseUrl: ${host} is not one of allowedHosts`);
  }
  return origin + pathname.replace(/(?<!\/)\/+$/, "");
}

export function checkTimeout(milliseconds: number): void {
  if (milliseconds === Infinity || (milliseconds > 0 && milliseconds <= maximumDelay)) return;
  throw new RangeError(
    `timeoutMilliseconds must be 1 to ${maximumDelay} or Infinity, not ${milliseconds}`,
  );
}
