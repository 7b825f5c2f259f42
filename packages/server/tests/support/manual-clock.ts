import type { Clock } from "../../src/clock.ts";

/** A clock that tests advance. */
export class ManualClock implements Clock {
  #now: number;

  constructor(now = "2026-03-01T12:00:00Z") {
    this.#now = Date.parse(now);
  }

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export const seconds = (count: number): number => count * 1_000;
export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;
