import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../foundation/errors.ts";
import { refuseRepeated } from "../../records/distinct.ts";
import type { Placed } from "../../records/duplicates.ts";
import type { Author, WrittenRecords } from "../../records/write.ts";
import { nameProblems } from "./names.ts";
import {
  defaultPolicyName,
  isDefault,
  modification,
  policyNoun,
  type StoredPolicy,
} from "./policies.ts";
import { changedValues, shownSettings, shownValues } from "./settings.ts";

type Change = components["schemas"]["PreventionPolicyUpdateInput"];

/**
 * Applies changes and returns the policies in the order of the request. Throws the errors of
 * updatePreventionPolicies for invalid changes.
 */
export async function changedPolicies(
  { getForUpdate: take, stored }: WrittenRecords<StoredPolicy>,
  changes: readonly Change[],
  author: Author,
): Promise<readonly StoredPolicy[]> {
  const places = changes.map(({ id }, index) => ({ id, at: `body.resources[${index}]` }));
  refuseRepeated(places, "policy");
  const policies = await take(
    changes.map(({ id }) => id),
    policyNoun,
  );
  const changed = applyChanges(policies, changes, author);
  const conflicts = [...defaultNameProblems(changed), ...(await nameProblems(stored, changed))];
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  return changed.map(({ record }) => record);
}

function applyChanges(
  policies: readonly StoredPolicy[],
  changes: readonly Change[],
  author: Author,
): readonly Placed<StoredPolicy>[] {
  const problems: Problem[] = [];
  const results: Placed<StoredPolicy>[] = [];
  for (const [index, policy] of policies.entries()) {
    const { name, description, settings = [] } = changes[index] ?? {};
    const at = `body.resources[${index}]`;
    const before = shownValues(policy.prevention_settings);
    const changed = changedValues(policy.platform_name, before, settings, `${at}.settings`);
    if ("problems" in changed) {
      problems.push(...changed.problems.map((problem) => ({ ...problem, id: policy.id })));
      continue;
    }
    results.push({
      at,
      record: {
        ...policy,
        name: name ?? policy.name,
        description: description ?? policy.description,
        prevention_settings: shownSettings(policy.platform_name, changed.values),
        ...modification(author),
      },
    });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return results;
}

const defaultNameProblems = (changed: readonly Placed<StoredPolicy>[]): readonly Problem[] =>
  changed
    .filter(({ record }) => isDefault(record) && record.name !== defaultPolicyName)
    .map(({ record, at }) => ({
      at: `${at}.name`,
      id: record.id,
      message: `the default policy of ${record.platform_name} keeps the name ${defaultPolicyName}; omit the name`,
    }));
