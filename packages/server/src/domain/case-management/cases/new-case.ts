import { newUuid } from "../../../foundation/identifiers.ts";
import type { Transaction } from "../../../store/index.ts";
import { analyse } from "../evidence/analysis.ts";
import { noEvidence } from "../evidence/collect.ts";
import type { Identity } from "../identity.ts";
import type { Severity } from "./severity.ts";
import type { UnfilledCase } from "../kinds/store-cases.ts";

/** The prefix of case numbers. */
const referencePrefix = "CSE";

/**
 * The next number of a case in the tenant. `taken` is the number of an imported case: this number
 * and all lower ones are no longer assigned. A number with another prefix is ignored.
 */
export async function nextReferenceId(
  { nextNumbers }: Pick<Transaction, "nextNumbers">,
  usedId?: string,
): Promise<string> {
  if (usedId === undefined) return `${referencePrefix}-${await nextNumbers("cases", 1)}`;
  const [prefix, number] = usedId.split("-");
  if (prefix === referencePrefix) await nextNumbers("cases", 0, Number(number));
  return usedId;
}

const withoutEvidence = analyse({ alerts: [], events: [] }, []);

/** A case with only a name and a severity. */
export function newCase(
  cid: string,
  now: Date,
  identity: Identity,
  { name, severity }: { readonly name: string; readonly severity: Severity },
): UnfilledCase {
  const instant = now.toISOString();
  return {
    id: newUuid(),
    reference_id: "",
    cid,
    name,
    description: "",
    description_format: "text",
    description_tagged_users: [],
    status: "new",
    ...severity,
    tags: [],
    access_tags: [],
    evidence: noEvidence,
    analysis_results: withoutEvidence.results,
    fields: [],
    workflows: [],
    start_timestamp: instant,
    end_timestamp: instant,
    read_only: { is_read_only: false },
    consistency: { consistent: true, version: 1 },
    version: 1,
    created_by: identity.user,
    creation_actor: identity.actor,
    created_timestamp: instant,
    last_updated_by: identity.user,
    update_actor: identity.actor,
    updated_timestamp: instant,
    creator: identity.key,
    modifier: identity.key,
    findings: withoutEvidence.findings,
  };
}
