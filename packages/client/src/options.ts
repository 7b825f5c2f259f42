import { systemClock, type Clock } from "./clock.ts";
import { resolveCredentials, type CredentialOptions, type Credentials } from "./credentials.ts";
import { environmentVariable } from "./environment.ts";
import type { Scope } from "./generated/names.ts";
import { withDebugLines, type Hooks } from "./hooks.ts";
import type { Fetch } from "./transport.ts";

export interface ClientOptions extends CredentialOptions {
  /** Scopes to request. Default: all scopes of the client. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Decides when a token expires, and waits for retries. */
  readonly clock?: Clock | undefined;
  /** A number from 0 to below 1, for the times between retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** For each request including its response. Default: 60,000; `Infinity` for no limit. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Maximum number of retries of a call. Default: 2; 0 for none. */
  readonly retries?: number | undefined;
  /** No retry starts later than this after its call. Default: 60,000. */
  readonly retryWithinMilliseconds?: number | undefined;
  /** Maximum number of concurrent requests. Default: 50. */
  readonly concurrency?: number | undefined;
  /** The only hosts, with their ports, that requests may be sent to. Default: the host of `baseUrl`. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Writes one line for each request to the console. Default: whether `SECPLAT_DEBUG` is `http`. */
  readonly debug?: boolean | ((line: string) => void) | undefined;
  /** Sent as `User-Agent`. Default: that of the runtime. */
  readonly userAgent?: string | undefined;
}

export interface Settings extends Credentials {
  readonly scopes: readonly Scope[] | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMilliseconds: number;
  readonly retries: number;
  readonly retryWithinMilliseconds: number;
  readonly concurrency: number;
  readonly hooks: Hooks;
  readonly userAgent: string | undefined;
}

/**
 * The options with defaults. Throws a `TypeError` or a `RangeError` that names the invalid option.
 */
export function checkOptions(options: ClientOptions): Settings {
  const {
    hooks = {},
    concurrency = 50,
    debug = environmentVariable("SECPLAT_DEBUG") === "http",
  } = options;
  const credentials = resolveCredentials(options);
  if (options.scopes?.length === 0) {
    throw new RangeError("scopes must not be an empty list; omit it for all scopes");
  }
  if (!(concurrency >= 1))
    throw new RangeError(`concurrency must be at least 1, not ${concurrency}`);
  const write = typeof debug === "function" ? debug : (line: string) => console.error(line);
  const { retries = 2, retryWithinMilliseconds = 60_000, timeoutMilliseconds = 60_000 } = options;
  checkCallLimits({ retries, retryWithinMilliseconds, timeoutMilliseconds });
  return {
    ...credentials,
    baseUrl: checkBaseUrl(credentials.baseUrl, options.allowedHosts),
    scopes: options.scopes,
    // Looked up at each call, and called without `this`, because browsers reject any other `this`.
    fetch: options.fetch ?? ((request) => fetch(request)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    timeoutMilliseconds,
    retries,
    retryWithinMilliseconds,
    concurrency,
    hooks: debug === false ? hooks : withDebugLines(hooks, write),
    userAgent: options.userAgent,
  };
}

function checkBaseUrl(text: string, allowedHosts: readonly string[] | undefined): string {
  if (!URL.canParse(text)) throw new TypeError(`baseUrl is not an absolute URL: ${text}`);
  const { protocol, username, password, search, hash, host, origin, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new TypeError(`baseUrl must start with https:// or http://, not ${protocol}`);
  }
  if (username !== "" || password !== "") {
    throw new TypeError(
      "baseUrl must not contain credentials; pass them as clientId and clientSecret",
    );
  }
  if (search !== "" || hash !== "") throw new TypeError("baseUrl must end with its path");
  if (allowedHosts !== undefined && !allowedHosts.includes(host)) {
    throw new TypeError(`baseUrl has the host ${host}, which is not one of allowedHosts`);
  }
  return origin + pathname.replace(/\/+$/, "");
}

/** The maximum delay of a timer is 31 bits; longer ones fire at once. */
const maximumTimeout = 2 ** 31 - 1;

/** Throws a `RangeError` that names the invalid limit. */
export function checkCallLimits(limits: {
  readonly timeoutMilliseconds?: number | undefined;
  readonly retries?: number | undefined;
  readonly retryWithinMilliseconds?: number | undefined;
}): void {
  const { timeoutMilliseconds: timeout = 1, retries = 0, retryWithinMilliseconds = 0 } = limits;
  if (timeout !== Infinity && !(timeout > 0 && timeout <= maximumTimeout)) {
    throw new RangeError(
      `timeoutMilliseconds must be between 0 and ${maximumTimeout}, or Infinity, not ${timeout}`,
    );
  }
  if (!(retries >= 0)) throw new RangeError(`retries must be at least 0, not ${retries}`);
  if (!(retryWithinMilliseconds >= 0)) {
    throw new RangeError(
      `retryWithinMilliseconds must be at least 0, not ${retryWithinMilliseconds}`,
    );
  }
}
