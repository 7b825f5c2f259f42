import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../errors.ts";
import { refuseRepeated } from "../../records/distinct.ts";
import type { Placed } from "../../records/duplicates.ts";
import { takeRecords } from "../../records/take.ts";
import type { WritableRecords } from "../../store/types.ts";
import { nameProblems } from "./names.ts";
import {
  defaultPolicyName,
  isDefault,
  modification,
  policyNoun,
  type Authorship,
  type StoredPolicy,
} from "./policies.ts";
import { changedValues, shownSettings, shownValues } from "./settings.ts";

type Change = components["schemas"]["PreventionPolicyUpdateInput"];

/**
 * The policies after the changes, in the order given. Throws what updatePreventionPolicies answers to
 * changes that cannot be made.
 */
export async function changedPolicies(
  records: WritableRecords<StoredPolicy>,
  changes: readonly Change[],
  authorship: Authorship,
): Promise<readonly StoredPolicy[]> {
  const places = changes.map(({ id }, index) => ({ id, at: `body.resources[${index}]` }));
  refuseRepeated(places, "policy");
  const stored = await takeRecords(
    records,
    policyNoun,
    changes.map(({ id }) => id),
  );
  const wanted = applyChanges(stored, changes, authorship);
  const refused = [...defaultNameProblems(wanted), ...(await nameProblems(records, wanted))];
  if (refused.length > 0) throw errors.conflict(refused);
  return wanted.map(({ record }) => record);
}

function applyChanges(
  stored: readonly StoredPolicy[],
  changes: readonly Change[],
  authorship: Authorship,
): readonly Placed<StoredPolicy>[] {
  const problems: Problem[] = [];
  const wanted: Placed<StoredPolicy>[] = [];
  for (const [index, policy] of stored.entries()) {
    const { name, description, settings = [] } = changes[index] ?? {};
    const at = `body.resources[${index}]`;
    const before = shownValues(policy.prevention_settings);
    const changed = changedValues(policy.platform_name, before, settings, `${at}.settings`);
    if ("problems" in changed) {
      problems.push(...changed.problems.map((problem) => ({ ...problem, id: policy.id })));
      continue;
    }
    wanted.push({
      at,
      record: {
        ...policy,
        name: name ?? policy.name,
        description: description ?? policy.description,
        prevention_settings: shownSettings(policy.platform_name, changed.values),
        ...modification(authorship),
      },
    });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return wanted;
}

const defaultNameProblems = (wanted: readonly Placed<StoredPolicy>[]): readonly Problem[] =>
  wanted
    .filter(({ record }) => isDefault(record) && record.name !== defaultPolicyName)
    .map(({ record, at }) => ({
      at: `${at}.name`,
      id: record.id,
      message: `the default policy of ${record.platform_name} keeps the name ${defaultPolicyName}; leave the name out`,
    }));
