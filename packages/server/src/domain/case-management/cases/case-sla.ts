import { evaluate, type FilterRecord } from "@security-platform/fql";
import { filterReader } from "../../../records/filters.ts";
import type { Transaction } from "../../../store/index.ts";
import { caseFields, cases } from "../kinds/cases.ts";
import { filled, type UnfilledCase } from "../kinds/store-cases.ts";
import type { TemplateInUse } from "../templates/template-in-use.ts";
import { slas, slaSnapshots } from "../kinds/slas.ts";
import { settledTimers, startedSla } from "../kinds/timers.ts";

/**
 * The case with the SLA that its template selects and timers that start at `now`. Unchanged if
 * there is no SLA.
 */
export async function withSla(
  transaction: Transaction,
  created: UnfilledCase,
  used: TemplateInUse | null,
  now: Date,
): Promise<UnfilledCase> {
  const { sla: _sla, sla_progress: _progress, ...plain } = created;
  const id = used === null ? undefined : selectedSla(plain, used, now);
  if (id === undefined) return plain;
  const sla = (await transaction.records(slas.resource).getForUpdate([id])).get(id);
  if (sla === undefined) return plain;
  const snapshots = await transaction.records(slaSnapshots).getForUpdate([sla.snapshot_id]);
  const snapshot = snapshots.get(sla.snapshot_id);
  if (snapshot === undefined) return plain;
  return settledTimers({ ...plain, ...startedSla(snapshot, now) }, now);
}

/** The SLA of the first rule that the case matches, else the template's own. */
function selectedSla(
  created: UnfilledCase,
  { template: { sla_id, sla_rules } }: TemplateInUse,
  now: Date,
): string | undefined {
  if (sla_rules.length === 0) return sla_id;
  const complete = filled(created);
  const rule = sla_rules.find(({ condition }) => {
    const predicate = filterReader(caseFields).predicate(condition, now);
    return evaluate(predicate, complete as unknown as FilterRecord, cases.fields);
  });
  return rule?.sla_id ?? sla_id;
}

/**
 * Applies a change of the case to its timers: closing stops them, reopening
 * resumes them, `slasActive` pauses or resumes them.
 */
export function withTimers(
  after: UnfilledCase,
  { now, slasActive }: { readonly now: Date; readonly slasActive: boolean | undefined },
): UnfilledCase {
  const { sla_progress } = after;
  if (after.sla === undefined || sla_progress === undefined) return after;
  const active = slasActive ?? sla_progress.active;
  return settledTimers({ ...after, sla_progress: { ...sla_progress, active } }, now);
}
