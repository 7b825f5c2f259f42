import { foldCase } from "@security-platform/fql";
import { errors, type Problem } from "../../foundation/errors.ts";
import type { Call } from "../../calls/call.ts";
import { requireEach } from "../../records/get.ts";
import type { Writing } from "../../records/write.ts";
import type { RecordText, Transaction } from "../../store/index.ts";
import { hostGroupNoun, hostGroups, shownGroup } from "../../inventory/host-groups.ts";
import {
  isDefault,
  modification,
  policyNoun,
  preventionPolicies,
  storedPolicy,
  type StoredPolicy,
} from "./policies.ts";
import { ruleGroupNoun, ruleGroups, type RuleGroup } from "../../inventory/rule-groups.ts";

type ActionCall = Call<"performPreventionPoliciesAction">;
type ActionName = ActionCall["query"]["action_name"];

/** An action on policies, with the groups to add or remove. */
export interface Action {
  readonly name: ActionName;
  readonly groupIds: readonly string[];
}

/** Returns the policy after an action; the same object if nothing changed. */
type Step = (policy: StoredPolicy) => StoredPolicy;

/** Maximum number of groups of one kind per policy. */
const groupsOfPolicy = 1_000;

/** The parameter that contains the groups of an action; null if the action takes no groups. */
const parameterOf: Readonly<Record<ActionName, "group_id" | "rule_group_id" | null>> = {
  "add-host-group": "group_id",
  "remove-host-group": "group_id",
  "add-rule-group": "rule_group_id",
  "remove-rule-group": "rule_group_id",
  enable: null,
  disable: null,
};

/** The action of a request. 400 if it lacks groups, or contains groups that the action does not take. */
export function readAction({ query, body }: Pick<ActionCall, "query" | "body">): Action {
  const { action_name: name } = query;
  const parameterName = parameterOf[name];
  const { action_parameters: parameters = [], group_id } = body;
  const groupInputs =
    parameters.length > 0
      ? parameters.map((parameter, index) => ({
          ...parameter,
          at: `body.action_parameters[${index}].name`,
        }))
      : group_id === undefined
        ? []
        : [{ name: "group_id" as const, value: group_id, at: "body.group_id" }];
  const problems: Problem[] = groupInputs
    .filter((parameter) => parameter.name !== parameterName)
    .map(({ at }) => ({
      at,
      message:
        parameterName === null
          ? `${name} accepts no groups`
          : `${name} accepts only ${parameterName}`,
    }));
  if (parameterName !== null && groupInputs.length === 0) {
    problems.push({
      at: "body.action_parameters",
      message: `${name} needs at least one ${parameterName}`,
    });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return { name, groupIds: [...new Set(groupInputs.map(({ value }) => value))] };
}

/**
 * Applies the action to all policies or none, and returns the current policies. Throws the errors of
 * performPreventionPoliciesAction for an action that is not possible.
 */
export async function performAction(
  writing: Writing,
  ids: readonly string[],
  action: Action,
): Promise<readonly RecordText[]> {
  const records = writing.records(preventionPolicies);
  const policies = await records.getForUpdate(ids, policyNoun);
  const step = await stepOf(writing.transaction, policies, action, writing.now);
  const changed = policies.flatMap((policy) => {
    const after = step(policy);
    return after === policy ? [] : [storedPolicy({ ...after, ...modification(writing.author) })];
  });
  const conflicts = [
    ...changed.filter(isDefault).flatMap((policy) => defaultProblems(policy, action.name)),
    ...changed.flatMap(sizeProblems),
  ];
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  await records.replace(changed, { comment: action.name });
  const texts = await records.stored.get(ids, writing.now);
  return ids.flatMap((id) => texts.get(id) ?? []);
}

async function stepOf(
  transaction: Transaction,
  policies: readonly StoredPolicy[],
  { name, groupIds }: Action,
  now: Date,
): Promise<Step> {
  switch (name) {
    case "enable":
    case "disable": {
      const enabled = name === "enable";
      return (policy) => (policy.enabled === enabled ? policy : { ...policy, enabled });
    }
    case "add-host-group": {
      const groups = await findHostGroups(transaction, groupIds, now);
      return (policy) => withMore(policy, "groups", groups);
    }
    case "add-rule-group": {
      const groups = await findRuleGroups(transaction, groupIds, now);
      refuseOtherPlatforms(policies, groups);
      return (policy) => withMore(policy, "ioa_rule_groups", groups);
    }
    // A deleted group can still be removed from policies.
    case "remove-host-group": {
      const held = new Set(policies.flatMap(({ group_ids }) => group_ids));
      await findHostGroups(transaction, without(groupIds, held), now);
      return (policy) => withFewer(policy, "groups", groupIds);
    }
    case "remove-rule-group": {
      const held = new Set(policies.flatMap(({ rule_group_ids }) => rule_group_ids));
      await findRuleGroups(transaction, without(groupIds, held), now);
      return (policy) => withFewer(policy, "ioa_rule_groups", groupIds);
    }
  }
}

const without = (ids: readonly string[], some: ReadonlySet<string>): readonly string[] =>
  ids.filter((id) => !some.has(id));

function withMore<Name extends "groups" | "ioa_rule_groups">(
  policy: StoredPolicy,
  name: Name,
  groups: StoredPolicy[Name],
): StoredPolicy {
  const held = new Set(policy[name].map(({ id }) => id));
  const added = groups.filter(({ id }) => !held.has(id));
  return added.length === 0 ? policy : { ...policy, [name]: [...policy[name], ...added] };
}

function withFewer(
  policy: StoredPolicy,
  name: "groups" | "ioa_rule_groups",
  ids: readonly string[],
): StoredPolicy {
  const remaining = policy[name].filter(({ id }) => !ids.includes(id));
  return remaining.length === policy[name].length ? policy : { ...policy, [name]: remaining };
}

/** The tenant's groups in the format of policies; 404 if one does not exist. */
async function findHostGroups(transaction: Transaction, ids: readonly string[], now: Date) {
  const groupTexts = await transaction.records(hostGroups).get(ids, now);
  return requireEach(groupTexts, ids, hostGroupNoun).map(shownGroup);
}

async function findRuleGroups(transaction: Transaction, ids: readonly string[], now: Date) {
  const groupTexts = await transaction.records(ruleGroups).get(ids, now);
  return requireEach(groupTexts, ids, ruleGroupNoun).map((text) => JSON.parse(text) as RuleGroup);
}

function refuseOtherPlatforms(
  policies: readonly StoredPolicy[],
  groups: readonly RuleGroup[],
): void {
  const problems = policies.flatMap(({ id, platform_name }) =>
    groups
      .filter(({ platform }) => foldCase(platform) !== foldCase(platform_name))
      .map((group) => ({
        at: "body.ids",
        id,
        message: `${id} is a policy of ${platform_name}; ${ruleGroupNoun} ${group.id} is for ${group.platform}`,
      })),
  );
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

function defaultProblems(
  { id, platform_name }: StoredPolicy,
  name: ActionName,
): readonly Problem[] {
  if (name === "add-rule-group" || name === "remove-rule-group") return [];
  const why = name === "disable" ? "is always enabled" : "has no host groups";
  return [{ at: "", id, message: `the default policy of ${platform_name}, ${id}, ${why}` }];
}

function sizeProblems({ id, groups, ioa_rule_groups }: StoredPolicy): readonly Problem[] {
  const most = Math.max(groups.length, ioa_rule_groups.length);
  if (most <= groupsOfPolicy) return [];
  const message = `policy ${id} would have ${most} groups of one kind; it can have ${groupsOfPolicy}`;
  return [{ at: "", id, message }];
}
