import type { Clock } from "../../src/foundation/clock.ts";

/** A clock that tests advance. */
export class ManualClock implements Clock {
  readonly #start: number;
  #now: number;

  constructor(now = "2026-03-01T12:00:00Z") {
    this.#start = Date.parse(now);
    this.#now = this.#start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Sets the time back to the start. */
  reset(): void {
    this.#now = this.#start;
  }
}

export const seconds = (count: number): number => count * 1_000;
export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;
