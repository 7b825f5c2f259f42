import type { Clock } from "../../src/clock.ts";

/** A clock that moves only when it is advanced. */
export class TestClock implements Clock {
  #milliseconds = Date.parse("2026-03-01T12:00:00Z");

  now(): Date {
    return new Date(this.#milliseconds);
  }

  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
