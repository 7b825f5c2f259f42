import type { Scope } from "./generated/scopes.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { Fetch } from "./transport.ts";

export interface ClientOptions {
  /** URL of the API: `https://host[:port]`, with a path if it is served below one. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Acts for this child of the client's tenant. */
  readonly memberCid?: string | undefined;
  /** Scopes to request. Default: all scopes of the client. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Decides when a token expires. */
  readonly clock?: Clock | undefined;
  /** For each request including its response. Default: 60,000; `Infinity` for no limit. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Sent as `User-Agent`. Default: that of the runtime. */
  readonly userAgent?: string | undefined;
}

export interface Settings extends ClientOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timeoutMilliseconds: number;
}

const defaultTimeoutMilliseconds = 60_000;

/**
 * The options with defaults. Throws a `TypeError` or a `RangeError` that names the invalid option.
 */
export function checkOptions(options: ClientOptions): Settings {
  const { clientId, clientSecret, memberCid } = options;
  requireText("clientId", clientId);
  requireText("clientSecret", clientSecret);
  if (memberCid !== undefined) requireText("memberCid", memberCid);
  if (options.scopes?.length === 0) {
    throw new RangeError("scopes must not be an empty list; omit it for all scopes");
  }
  return {
    ...options,
    baseUrl: checkBaseUrl(options.baseUrl),
    // Looked up at each call, and called without `this`, because browsers reject any other `this`.
    fetch: options.fetch ?? ((request) => fetch(request)),
    clock: options.clock ?? systemClock,
    timeoutMilliseconds: checkTimeout(options.timeoutMilliseconds ?? defaultTimeoutMilliseconds),
  };
}

function requireText(name: string, value: unknown): void {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`${name} must be a non-empty string`);
  }
}

function checkBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new TypeError(`baseUrl is not an absolute URL: ${text}`);
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new TypeError(`baseUrl must start with https:// or http://, not ${protocol}`);
  }
  if (username !== "" || password !== "") {
    throw new TypeError(
      "baseUrl must not contain credentials; pass them as clientId and clientSecret",
    );
  }
  if (search !== "" || hash !== "") throw new TypeError("baseUrl must end with its path");
  return origin + pathname.replace(/\/+$/, "");
}

/** The maximum delay of a timer is 31 bits; longer ones fire at once. */
const maximumTimeout = 2 ** 31 - 1;

export function checkTimeout(milliseconds: number): number {
  if (milliseconds === Infinity || (milliseconds > 0 && milliseconds <= maximumTimeout)) {
    return milliseconds;
  }
  throw new RangeError(
    `timeoutMilliseconds must be between 0 and ${maximumTimeout}, or Infinity, not ${milliseconds}`,
  );
}
