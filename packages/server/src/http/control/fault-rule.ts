import type { FaultRule, SetFault } from "@security-platform/spec";

/** Conditions on a request, all of which must hold. */
export type FaultMatch = NonNullable<FaultRule["match"]>;

/** The faults of a platform. */
export interface FaultRules {
  /** Adds a fault after those that are set. Throws `RangeError` for an invalid one. */
  add(rule: FaultRule): SetFault;
  list(): readonly SetFault[];
  /** Returns false for an unknown id. */
  remove(id: number): boolean;
  /** Removes all faults, and ends the delays of requests. */
  clear(): void;
}
