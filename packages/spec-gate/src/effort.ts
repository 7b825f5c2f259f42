import { CannotJudge } from "./read/cannot-judge.ts";

/** The default for the time of a run. */
export const mostSeconds = 300;

/** Reading the clock takes longer than most steps. */
const stepsBetween = 256;

/** Counts the steps of a comparison, and ends it when its time is over. */
export class Effort {
  readonly #seconds: number;
  readonly #now: () => number;
  readonly #end: number;
  #steps = 0;

  constructor(seconds = mostSeconds, now: () => number = Date.now) {
    this.#seconds = seconds;
    this.#now = now;
    this.#end = now() + seconds * 1000;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Throws `CannotJudge` when the time is over. */
  step(): void {
    this.#steps += 1;
    if (this.#steps % stepsBetween === 0) this.check();
  }

  check(): void {
    if (this.#now() > this.#end) throw new CannotJudge(timeIsOver(this.#seconds));
  }
}

export const timeIsOver = (seconds: number): string =>
  `the change could not be judged within ${seconds} seconds; simplify the document, or raise the limit with --time-limit`;
