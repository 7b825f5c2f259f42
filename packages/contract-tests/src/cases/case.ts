import type { CaseContext } from "./case-context.ts";
import type { CaseDescription } from "./case-description.ts";

export { caseId, type Law } from "./case-description.ts";
export type { Need } from "../need.ts";

export interface Case extends CaseDescription {
  readonly run: (context: CaseContext) => Promise<void>;
}
