import type { Clock } from "./clock.ts";

/** What the token operation grants. */
export interface Grant {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

interface Token {
  readonly value: string;
  /** Milliseconds since the epoch, here and below. */
  readonly expiresAt: number;
  readonly refreshAt: number;
}

/** A token is renewed this long before it expires, or after nine tenths of a shorter life. */
const marginMilliseconds = 120_000;
/** After an early renewal that failed: until then the old token serves without another try. */
const pauseMilliseconds = 10_000;

/**
 * Keeps one access token. Any number of callers share one request for it; while the old token is
 * valid nobody waits for the new one; a failed request is kept by nobody.
 */
export class TokenSource {
  readonly #request: () => Promise<Grant>;
  readonly #clock: Clock;
  #current: Token | undefined;
  #pending: Promise<Token> | undefined;
  #pausedUntil = 0;

  constructor(request: () => Promise<Grant>, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
  }

  /** A valid token. Rejects with what the request for one threw. */
  async get(): Promise<string> {
    const now = this.#clock.now().getTime();
    const current = this.#current;
    if (current === undefined || now >= current.expiresAt) return (await this.#renew()).value;
    if (now >= current.refreshAt && now >= this.#pausedUntil) this.#renewEarly();
    return current.value;
  }

  /** The server refused this token. One that came meanwhile stays. */
  discard(refused: string): void {
    if (this.#current?.value === refused) this.#current = undefined;
  }

  /** Forgets the token and tells which it was; waits for one that is under way. */
  async take(): Promise<string | undefined> {
    await this.#pending?.catch(() => undefined);
    const taken = this.#current?.value;
    this.#current = undefined;
    return taken;
  }

  #renew(): Promise<Token> {
    this.#pending ??= this.#requestToken().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Nobody waits for this one, so nobody would hear of its failure: the next `get` tries again. */
  #renewEarly(): void {
    this.#renew().catch(() => {
      this.#pausedUntil = this.#clock.now().getTime() + pauseMilliseconds;
    });
  }

  async #requestToken(): Promise<Token> {
    // The life is counted from before the request: a slow answer makes a token old, not young.
    const requestedAt = this.#clock.now().getTime();
    const grant = await this.#request();
    const life = grant.expiresInSeconds * 1_000;
    const expiresAt = requestedAt + life;
    const refreshAt = expiresAt - Math.min(marginMilliseconds, life / 10);
    this.#current = { value: grant.accessToken, expiresAt, refreshAt };
    return this.#current;
  }
}
