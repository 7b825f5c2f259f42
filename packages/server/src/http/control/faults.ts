import type { Clock } from "../../clock.ts";
import { headerBytes } from "../../config.ts";
import { errors } from "../../errors.ts";

/** Statuses that the development control plane can force. */
export const faultStatuses = [408, 429, 431, 500, 503] as const;
export type FaultStatus = (typeof faultStatuses)[number];

/** Forces the next responses of an operation, to test clients against rare errors. */
export class Faults {
  readonly #clock: Clock;
  readonly #pending = new Map<string, { status: FaultStatus; times: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  force(operationId: string, status: FaultStatus, times: number): void {
    this.#pending.set(operationId, { status, times });
  }

  clear(): void {
    this.#pending.clear();
  }

  /** Throws the forced error of an operation, if any. */
  throwIfForced(operationId: string): void {
    const fault = this.#pending.get(operationId);
    if (fault === undefined) return;
    if (fault.times > 1) this.#pending.set(operationId, { ...fault, times: fault.times - 1 });
    else this.#pending.delete(operationId);
    throw faultError(fault.status, this.#clock.now());
  }
}

function faultError(status: FaultStatus, now: Date): Error {
  switch (status) {
    case 408:
      return errors.timedOut();
    case 431:
      return errors.headersTooLarge(headerBytes);
    case 429:
      return errors.rateLimited(
        "forced by the control plane",
        1,
        Math.ceil(now.getTime() / 1_000) + 1,
      );
    case 503:
      return errors.overloaded(1);
    case 500:
      return new Error("forced by the control plane");
  }
}
