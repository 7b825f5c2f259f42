import type { Clock } from "../clock.ts";
import type { Authorization } from "./outgoing.ts";

/** The response of the token operation. */
export interface Grant {
  /** The value of the header `Authorization`, with the token. */
  readonly authorization: string;
  readonly expiresInSeconds: number;
}

interface Token {
  readonly value: string;
  /** Milliseconds since 1970, like all times in this file. */
  readonly expiresAt: number;
  readonly refreshAt: number;
}

/** A token is renewed this long before it expires, or after nine tenths of a shorter lifetime. */
const marginMilliseconds = 120_000;
/** After a failed early renewal, the old token is used for this long before the next attempt. */
const pauseMilliseconds = 10_000;

/**
 * Caches one access token. All callers share one request for it. While the old token is valid, no caller
 * waits for its renewal. Failed requests are not cached.
 */
export class TokenSource implements Authorization {
  readonly #request: () => Promise<Grant>;
  readonly #clock: Clock;
  #current: Token | undefined;
  /** Replaced early, so perhaps still valid. */
  #replaced: Token | undefined;
  #pending: Promise<string> | undefined;
  #pausedUntil = 0;

  constructor(request: () => Promise<Grant>, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
  }

  /** The header with a valid token, at once if there is one. Rejects with the error of the token request. */
  get(): string | Promise<string> {
    const now = this.#clock.now().getTime();
    const current = this.#current;
    if (current === undefined || now >= current.expiresAt) return this.#renew();
    if (now >= current.refreshAt && now >= this.#pausedUntil) this.#renewEarly();
    return current.value;
  }

  /** Discards a token that the server rejected, unless it was replaced meanwhile. There will be another. */
  discard(refused: string): true {
    if (this.#current?.value === refused) this.#current = undefined;
    return true;
  }

  /** Discards the tokens and returns the headers of those that may be valid; waits for a request in progress. */
  async take(): Promise<readonly string[]> {
    await this.#pending?.catch(() => undefined);
    const tokens = [this.#replaced, this.#current].flatMap((token) => token?.value ?? []);
    this.#replaced = this.#current = undefined;
    return tokens;
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#requestToken().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /**
   * Requests a new token before the old one expires. No caller waits for it, so an error is ignored; the next `get`
   * tries again.
   */
  #renewEarly(): void {
    this.#renew().catch(() => {
      this.#pausedUntil = this.#clock.now().getTime() + pauseMilliseconds;
    });
  }

  async #requestToken(): Promise<string> {
    // The lifetime starts before the request, so that a slow response cannot extend it.
    const requestedAt = this.#clock.now().getTime();
    const grant = await this.#request();
    const life = grant.expiresInSeconds * 1_000;
    const expiresAt = requestedAt + life;
    const refreshAt = expiresAt - Math.min(marginMilliseconds, life / 10);
    this.#replaced = this.#current;
    this.#current = { value: grant.authorization, expiresAt, refreshAt };
    return grant.authorization;
  }
}
