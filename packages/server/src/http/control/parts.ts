import type { Clock } from "../../clock.ts";
import { Faults } from "./faults.ts";
import { Journal } from "./journal.ts";
import { RequestGate } from "./request-gate.ts";

/** What makes the requests of a platform observable and controllable, for tests. */
export interface ControlParts {
  readonly gate: RequestGate;
  readonly journal: Journal;
  readonly faults: Faults;
}

export const createControlParts = (clock: Clock): ControlParts => ({
  gate: new RequestGate(),
  journal: new Journal(clock),
  faults: new Faults(clock),
});
