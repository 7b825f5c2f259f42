import { systemClock, type Clock } from "../foundation/clock.ts";

/** What a clock shows at an instant of the system's clock. */
export interface ClockState {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly frozen: boolean;
}

/** A clock that stands still until it is moved, or that runs with a difference to the system's. */
export class ControlledClock implements Clock {
  readonly #base: Clock;
  /** Frozen: milliseconds since 1970. Otherwise: the difference to the base. */
  #value = 0;
  #frozen = false;

  /** Default: runs like the system's. */
  constructor(base: Clock = systemClock) {
    this.#base = base;
  }

  now(): Date {
    return new Date(this.#frozen ? this.#value : this.#base.now().getTime() + this.#value);
  }

  get frozen(): boolean {
    return this.#frozen;
  }

  get state(): ClockState {
    return { now: this.now().getTime(), frozen: this.#frozen };
  }

  /** Stops the clock, now or at an instant. */
  freeze(at: Date = this.now()): void {
    this.set({ now: at.getTime(), frozen: true });
  }

  /** Runs on, from now or from an instant. */
  run(from: Date = this.now()): void {
    this.set({ now: from.getTime(), frozen: false });
  }

  set({ now, frozen }: ClockState): void {
    this.#frozen = frozen;
    this.#value = frozen ? now : now - this.#base.now().getTime();
  }

  /** Runs like its base. */
  reset(): void {
    this.#frozen = false;
    this.#value = 0;
  }

  moveTo(instant: Date): void {
    this.set({ now: instant.getTime(), frozen: this.#frozen });
  }
}
