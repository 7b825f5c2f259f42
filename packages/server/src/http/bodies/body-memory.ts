import { errors } from "../../foundation/errors.ts";

/** The part of the memory for bodies of callers without a token. Their bodies are small. */
const anonymousPart = 1 / 16;
interface Pool {
  readonly most: number;
  used: number;
}

/**
 * The memory for all bodies that are being received. A body beyond it is refused with a 503. Callers without a
 * token have a small part of it for themselves.
 */
export class BodyMemory {
  readonly #authenticated: Pool;
  readonly #anonymous: Pool;

  constructor(mostBytes: number) {
    const most = Math.floor(mostBytes * anonymousPart);
    this.#anonymous = { most, used: 0 };
    this.#authenticated = { most: mostBytes - most, used: 0 };
  }

  /** The share of one body. Release it when the body has been read. */
  share(isAnonymous: boolean): BodyShare {
    return new BodyShare(isAnonymous ? this.#anonymous : this.#authenticated);
  }
}

/** What one body uses of the memory for bodies. */
export class BodyShare {
  readonly #pool: Pool;
  #used = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Throws a 503 if other bodies need the memory. A body that is alone is never refused. */
  take(bytes: number): void {
    const others = this.#pool.used - this.#used;
    if (others > 0 && this.#pool.used + bytes > this.#pool.most) {
      throw errors.tooManyBodies(retrySeconds);
    }
    this.#pool.used += bytes;
    this.#used += bytes;
  }

  give(bytes: number): void {
    this.#pool.used -= bytes;
    this.#used -= bytes;
  }

  release(): void {
    this.give(this.#used);
  }
}

const retrySeconds = 5;
