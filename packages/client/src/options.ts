import type { Scope } from "./generated/scopes.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { Fetch } from "./transport.ts";

export interface ClientOptions {
  /** Where the API is: `https://host[:port]`, with a path if it is served below one. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Act for this child of the client's tenant. */
  readonly memberCid?: string | undefined;
  /** Ask for these scopes only; left out, all that the client has. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Left out, the runtime's own. */
  readonly fetch?: Fetch | undefined;
  /** Decides when a token is old. */
  readonly clock?: Clock | undefined;
  /** For each request with its answer; 60,000 if left out, `Infinity` for no limit. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Sent as `User-Agent`; left out, the runtime's own. */
  readonly userAgent?: string | undefined;
}

export interface Settings extends ClientOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timeoutMilliseconds: number;
}

const defaultTimeoutMilliseconds = 60_000;

/** The options with their defaults. Throws a `TypeError` or a `RangeError` that names the bad one. */
export function checkOptions(options: ClientOptions): Settings {
  const { clientId, clientSecret, memberCid } = options;
  requireText("clientId", clientId);
  requireText("clientSecret", clientSecret);
  if (memberCid !== undefined) requireText("memberCid", memberCid);
  if (options.scopes?.length === 0) {
    throw new RangeError("scopes is an empty list; leave it out for all scopes");
  }
  return {
    ...options,
    baseUrl: checkBaseUrl(options.baseUrl),
    // Looked up at each call and called by name: browsers refuse a fetch with another `this`.
    fetch: options.fetch ?? ((request) => fetch(request)),
    clock: options.clock ?? systemClock,
    timeoutMilliseconds: checkTimeout(options.timeoutMilliseconds ?? defaultTimeoutMilliseconds),
  };
}

function requireText(name: string, value: unknown): void {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`${name} must be a text that is not empty`);
  }
}

function checkBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new TypeError(`baseUrl is not an absolute URL: ${text}`);
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new TypeError(`baseUrl must start with https:// or http://, not ${protocol}`);
  }
  if (username !== "" || password !== "") {
    throw new TypeError("baseUrl holds credentials; pass them as clientId and clientSecret");
  }
  if (search !== "" || hash !== "") throw new TypeError("baseUrl must end with its path");
  return origin + pathname.replace(/\/+$/, "");
}

/** Timers hold 31 bits: beyond that they would fire at once. */
const longestTimeout = 2 ** 31 - 1;

export function checkTimeout(milliseconds: number): number {
  if (milliseconds === Infinity || (milliseconds > 0 && milliseconds <= longestTimeout)) {
    return milliseconds;
  }
  throw new RangeError(
    `timeoutMilliseconds must be between 0 and ${longestTimeout}, or Infinity, not ${milliseconds}`,
  );
}
