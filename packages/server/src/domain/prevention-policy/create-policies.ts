import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../errors.ts";
import type { WritableRecords } from "../../store/types.ts";
import { nameProblems } from "./names.ts";
import {
  modification,
  newPolicyId,
  ordinaryOf,
  policiesOfPlatform,
  policyNoun,
  storedPolicy,
  type Authorship,
  type StoredPolicy,
} from "./policies.ts";
import { changedValues, shownSettings, shownValues } from "./settings.ts";

type Input = components["schemas"]["PreventionPolicyInput"];

/**
 * The policies that the inputs describe, disabled and next in the order of their platforms. Throws
 * what createPreventionPolicies answers to inputs that cannot be stored.
 */
export async function newPolicies(
  records: WritableRecords<StoredPolicy>,
  inputs: readonly Input[],
  cid: string,
  authorship: Authorship,
): Promise<readonly StoredPolicy[]> {
  const models = await takeModels(records, inputs);
  const drafts = readInputs(inputs, models, cid, authorship);
  const taken = await nameProblems(
    records,
    drafts.map((record, index) => ({ record, at: placeOf(index) })),
  );
  if (taken.length > 0) throw errors.conflict(taken);
  return inOrder(records, drafts, authorship.now);
}

const placeOf = (index: number): string => `body.resources[${index}]`;

async function takeModels(records: WritableRecords<StoredPolicy>, inputs: readonly Input[]) {
  const ids = [...new Set(inputs.flatMap(({ clone_id }) => clone_id ?? []))];
  const models = await records.take(ids);
  const missing = ids.filter((id) => !models.has(id));
  if (missing.length > 0) throw errors.recordsNotFound(policyNoun, missing);
  return models;
}

function readInputs(
  inputs: readonly Input[],
  models: ReadonlyMap<string, StoredPolicy>,
  cid: string,
  authorship: Authorship,
): readonly StoredPolicy[] {
  const problems: Problem[] = [];
  const policies: StoredPolicy[] = [];
  for (const [index, input] of inputs.entries()) {
    const { name, platform_name, clone_id = "", settings = [] } = input;
    const at = placeOf(index);
    const model = models.get(clone_id);
    if (model !== undefined && model.platform_name !== platform_name) {
      problems.push({
        at: `${at}.clone_id`,
        message: `expected a policy of ${platform_name}; ${clone_id} is one of ${model.platform_name}`,
      });
      continue;
    }
    const before = shownValues(model?.prevention_settings ?? []);
    const changed = changedValues(platform_name, before, settings, `${at}.settings`);
    if ("problems" in changed) {
      problems.push(...changed.problems);
      continue;
    }
    const { modified_by, modified_timestamp } = modification(authorship);
    policies.push(
      storedPolicy({
        id: newPolicyId(),
        cid,
        name,
        description: input.description ?? model?.description ?? "",
        platform_name,
        enabled: false,
        groups: [],
        ioa_rule_groups: [],
        prevention_settings: shownSettings(platform_name, changed.values),
        created_by: modified_by,
        created_timestamp: modified_timestamp,
        modified_by,
        modified_timestamp,
        precedence: 0,
      }),
    );
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return policies;
}

/** Gives the policies their places: after the platform's others, in the order given. */
async function inOrder(
  records: WritableRecords<StoredPolicy>,
  policies: readonly StoredPolicy[],
  now: Date,
): Promise<readonly StoredPolicy[]> {
  const places = new Map<string, number>();
  for (const platform of new Set(policies.map(({ platform_name }) => platform_name))) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction, at most five platforms
    places.set(platform, await records.count(ordinaryOf(platform), now));
  }
  return policies.map((policy, index) => {
    const precedence = (places.get(policy.platform_name) ?? 0) + 1;
    if (precedence > policiesOfPlatform) {
      const message = `${policy.platform_name} has ${policiesOfPlatform} policies, which is all that a platform can have; delete some first`;
      throw errors.conflict([{ at: placeOf(index), message }]);
    }
    places.set(policy.platform_name, precedence);
    return { ...policy, precedence };
  });
}
