import type { Clock } from "../../foundation/clock.ts";
import { Faults } from "./faults.ts";
import { Journal } from "./journal.ts";
import { RequestGate } from "./request-gate.ts";

/** What makes the requests of a platform observable and controllable, for tests. */
export interface ControlParts {
  readonly gate: RequestGate;
  readonly journal: Journal;
  readonly faults: Faults;
}

const controlPath = "/_control/";

/** Whether a request controls the platform, instead of using it. */
export const isControl = ({ url }: { readonly url: string }): boolean =>
  url.startsWith(controlPath);

export const createControlParts = (clock: Clock): ControlParts => ({
  gate: new RequestGate(),
  journal: new Journal(clock),
  faults: new Faults(clock),
});
