import type { Platform } from "./setting-definitions.ts";
import { errors } from "../../foundation/errors.ts";
import { byPrecedence, orderProblems, renumber } from "../../records/precedence.ts";
import type { WritableRecords } from "../../store/index.ts";
import type { Writing } from "../../records/write.ts";
import {
  customPoliciesOf,
  isDefault,
  policyNoun,
  preventionPolicies,
  type StoredPolicy,
} from "./policies.ts";

/** Renumbers the policies of a platform from 1 in their current order. */
export async function closeGaps(
  records: WritableRecords<StoredPolicy>,
  platform: Platform,
  now: Date,
): Promise<void> {
  const policies = await records.findForUpdate(customPoliciesOf(platform), now);
  await renumber(records, byPrecedence(policies), { first: 1, now });
}

/**
 * Puts the policies of a platform into the order of `ids`. Throws the errors of
 * setPreventionPoliciesPrecedence unless `ids` lists each policy. A new precedence does not count as a
 * modification of the policy.
 */
export async function setPrecedence(
  writing: Writing,
  platform: Platform,
  ids: readonly string[],
): Promise<void> {
  const { now } = writing;
  const records = writing.records(preventionPolicies).stored;
  const policies = await records.findForUpdate(customPoliciesOf(platform), now);
  const own = new Map(policies.map((policy) => [policy.id, policy]));
  const others = ids.filter((id) => !own.has(id));
  const elsewhere =
    others.length === 0 ? new Map<string, never>() : await records.getForUpdate(others);
  const unknown = others.filter((id) => !elsewhere.has(id));
  if (unknown.length > 0) throw errors.recordsNotFound(policyNoun, unknown);
  const problems = orderProblems(policies, {
    at: "body.ids",
    ids,
    all: `policy of ${platform} but the default one`,
    refuse: (id) => refusal(id, elsewhere.get(id), platform),
  });
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const ordered = ids.flatMap((id) => own.get(id) ?? []);
  await renumber(records, ordered, { first: 1, now });
  writing.audit(ids);
}

function refusal(id: string, policy: StoredPolicy | undefined, platform: Platform): string {
  return policy !== undefined && isDefault(policy) && policy.platform_name === platform
    ? `${id} is the default policy, which stays last; omit it`
    : `${id} is a policy of ${policy?.platform_name}, not of ${platform}`;
}
