import type { Clock } from "../../src/clock.ts";

/** A clock that moves only when it is advanced. */
export class TestClock implements Clock {
  /** The times that were waited for. */
  readonly sleeps: number[] = [];
  #milliseconds = Date.parse("2026-03-01T12:00:00Z");

  now(): Date {
    return new Date(this.#milliseconds);
  }

  /** Advances the clock instead of waiting. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.advance(milliseconds);
  }

  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
