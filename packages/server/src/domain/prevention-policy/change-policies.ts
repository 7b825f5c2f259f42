import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../errors.ts";
import type { WritableRecords } from "../../store/types.ts";
import { nameProblems, type Wanted } from "./names.ts";
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
  requireDistinct(changes);
  const stored = await takePolicies(
    records,
    changes.map(({ id }) => id),
  );
  const wanted = applyChanges(stored, changes, authorship);
  const refused = [...defaultNameProblems(wanted), ...(await nameProblems(records, wanted))];
  if (refused.length > 0) throw errors.conflict(refused);
  return wanted.map(({ policy }) => policy);
}

/** The policies with these ids, in the order given; 404 when one does not exist. */
export async function takePolicies(
  records: WritableRecords<StoredPolicy>,
  ids: readonly string[],
): Promise<readonly StoredPolicy[]> {
  const stored = await records.take(ids);
  const missing = ids.filter((id) => !stored.has(id));
  if (missing.length > 0) throw errors.recordsNotFound(policyNoun, missing);
  return ids.flatMap((id) => stored.get(id) ?? []);
}

/** Two changes to one policy contradict each other or could be one. */
function requireDistinct(changes: readonly Change[]): void {
  const places = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [index, { id }] of changes.entries()) {
    const at = `body.resources[${index}]`;
    const earlier = places.get(id);
    if (earlier === undefined) places.set(id, at);
    else {
      const message = `is the policy of ${earlier} already; send its changes together`;
      problems.push({ at: `${at}.id`, id, message });
    }
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

function applyChanges(
  stored: readonly StoredPolicy[],
  changes: readonly Change[],
  authorship: Authorship,
): readonly Wanted[] {
  const problems: Problem[] = [];
  const wanted: Wanted[] = [];
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
      policy: {
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

const defaultNameProblems = (wanted: readonly Wanted[]): readonly Problem[] =>
  wanted
    .filter(({ policy }) => isDefault(policy) && policy.name !== defaultPolicyName)
    .map(({ policy, at }) => ({
      at: `${at}.name`,
      id: policy.id,
      message: `the default policy of ${policy.platform_name} keeps the name ${defaultPolicyName}; leave the name out`,
    }));
