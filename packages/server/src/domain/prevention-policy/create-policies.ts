import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../foundation/errors.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { Author, WrittenRecords } from "../../records/write.ts";
import type { WritableRecords } from "../../store/index.ts";
import { nameProblems } from "./names.ts";
import {
  modification,
  customPoliciesOf,
  maximumPolicies,
  policyNoun,
  storedPolicy,
  type StoredPolicy,
} from "./policies.ts";
import { changedValues, shownSettings, shownValues } from "./settings.ts";

type Input = components["schemas"]["PreventionPolicyInput"];

/**
 * Builds disabled policies from the inputs, each last in the order of its platform. Throws the errors of
 * createPreventionPolicies for invalid inputs.
 */
export async function newPolicies(
  { getForUpdate: take, stored }: WrittenRecords<StoredPolicy>,
  inputs: readonly Input[],
  author: Author,
): Promise<readonly StoredPolicy[]> {
  const clonedIds = [...new Set(inputs.flatMap(({ clone_id }) => clone_id ?? []))];
  const clonedPolicies = await take(clonedIds, policyNoun);
  const cloned = new Map(clonedPolicies.map((policy) => [policy.id, policy]));
  const policies = readInputs(inputs, cloned, author);
  const conflicts = await nameProblems(
    stored,
    policies.map((record, index) => ({ record, at: placeOf(index) })),
  );
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  return withPrecedence(stored, policies, author.now);
}

const placeOf = (index: number): string => `body.resources[${index}]`;

function readInputs(
  inputs: readonly Input[],
  cloned: ReadonlyMap<string, StoredPolicy>,
  author: Author,
): readonly StoredPolicy[] {
  const problems: Problem[] = [];
  const policies: StoredPolicy[] = [];
  for (const [index, input] of inputs.entries()) {
    const { name, platform_name, clone_id = "", settings = [] } = input;
    const at = placeOf(index);
    const source = cloned.get(clone_id);
    if (source !== undefined && source.platform_name !== platform_name) {
      problems.push({
        at: `${at}.clone_id`,
        message: `expected a policy of ${platform_name}; ${clone_id} is one of ${source.platform_name}`,
      });
      continue;
    }
    const before = shownValues(source?.prevention_settings ?? []);
    const changed = changedValues(platform_name, before, settings, `${at}.settings`);
    if ("problems" in changed) {
      problems.push(...changed.problems);
      continue;
    }
    const { modified_by, modified_timestamp } = modification(author);
    policies.push(
      storedPolicy({
        id: newIdentifier(),
        cid: author.cid,
        name,
        description: input.description ?? source?.description ?? "",
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

/** Appends the policies to the orders of their platforms, in the order of the request. */
async function withPrecedence(
  records: WritableRecords<StoredPolicy>,
  policies: readonly StoredPolicy[],
  now: Date,
): Promise<readonly StoredPolicy[]> {
  const places = new Map<string, number>();
  for (const platform of new Set(policies.map(({ platform_name }) => platform_name))) {
    places.set(platform, await records.count(customPoliciesOf(platform), now));
  }
  return policies.map((policy, index) => {
    const precedence = (places.get(policy.platform_name) ?? 0) + 1;
    if (precedence > maximumPolicies) {
      const message = `${policy.platform_name} has ${maximumPolicies} policies, the maximum; delete some first`;
      throw errors.conflict([{ at: placeOf(index), message }]);
    }
    places.set(policy.platform_name, precedence);
    return { ...policy, precedence };
  });
}
