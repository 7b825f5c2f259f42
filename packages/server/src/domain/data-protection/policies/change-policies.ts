import { defined } from "../../../records/defined.ts";
import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../errors.ts";
import { refuseRepeated } from "../../../records/distinct.ts";
import type { Wanted } from "../../../records/plain/kind.ts";
import { moved } from "../../../records/precedence.ts";
import type { Transaction, WritableRecords } from "../../../store/types.ts";
import { moveTo, takeTail } from "./order.ts";
import { modification, policies, type Authorship, type Policy } from "./policies.ts";
import { changedProperties } from "./properties.ts";
import type { Platform } from "./property-table.ts";
import { refuseBadSurroundings } from "./references.ts";
import { takePolicies } from "./take-policies.ts";

type Change = components["schemas"]["DataProtectionPolicyUpdateInput"];

/**
 * Stores the policies of a platform after the changes, and gives them in the order of the changes.
 * Throws what entities.policy.patch.v2 answers to changes that cannot be made.
 */
export async function changePolicies(
  transaction: Transaction,
  platform: Platform,
  changes: readonly Change[],
  authorship: Authorship,
): Promise<readonly Policy[]> {
  const { now } = authorship;
  const placed = changes.map((change, index) => ({ ...change, at: `body.resources[${index}]` }));
  refuseRepeated(placed, policies.noun);
  const records = transaction.records(policies.resource);
  const ids = changes.map(({ id }) => id);
  const stored = await takePolicies(records, platform, ids);
  const wanted = applyChanges(stored, placed, authorship);
  const refused = wanted.flatMap((each, index) => defaultProblems(each, changes[index]));
  if (refused.length > 0) throw errors.conflict(refused);
  await refuseBadSurroundings(transaction, wanted);
  const changed = wanted.map(({ after }) => after);
  const settled = await inPlace(records, platform, changed, changes, now);
  await records.replace(settled, now);
  return settled.slice(0, changed.length);
}

function applyChanges(
  stored: readonly Policy[],
  changes: readonly (Change & { readonly at: string })[],
  authorship: Authorship,
): readonly Wanted<Policy>[] {
  const problems: Problem[] = [];
  const wanted: Wanted<Policy>[] = [];
  for (const [index, before] of stored.entries()) {
    const change = changes[index];
    if (change === undefined) continue;
    const { at, name, description, is_enabled, host_groups, policy_properties = {} } = change;
    const changed = changedProperties(
      before.platform_name,
      before.policy_properties,
      policy_properties,
      `${at}.policy_properties`,
    );
    if ("problems" in changed) {
      problems.push(...changed.problems.map((problem) => ({ ...problem, id: before.id })));
      continue;
    }
    const after: Policy = {
      ...before,
      ...defined({ name, description, is_enabled, host_groups: host_groups ?? undefined }),
      policy_properties: changed.properties,
      ...modification(authorship),
    };
    wanted.push({ at, before, after });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return wanted;
}

/** What nobody can change of a default policy. */
function defaultProblems(
  { at, before, after }: Wanted<Policy>,
  change: Change | undefined,
): readonly Problem[] {
  if (before === null || !before.is_default) return [];
  const { id, name, platform_name, precedence } = before;
  const called = `the default policy of ${platform_name}`;
  const place = change?.precedence ?? precedence;
  const refusals: readonly (readonly [keyof Change, boolean, string])[] = [
    ["name", after.name !== name, `${called} keeps the name ${name}; leave the name out`],
    ["is_enabled", !after.is_enabled, `${called} is always enabled`],
    ["precedence", place !== precedence, `${called} comes last; leave precedence out`],
    ["host_groups", after.host_groups.length > 0, `${called} has no host groups`],
  ];
  return refusals.flatMap(([member, refused, message]) =>
    refused ? [{ at: `${at}.${member}`, id, message }] : [],
  );
}

/** The changed policies with the places they asked for, and after them the others that make room. */
async function inPlace(
  records: WritableRecords<Policy>,
  platform: Platform,
  changed: readonly Policy[],
  changes: readonly Change[],
  now: Date,
): Promise<readonly Policy[]> {
  const moves = changed.flatMap((policy, index) => {
    const place = changes[index]?.precedence ?? policy.precedence;
    return policy.is_default || place === policy.precedence ? [] : [{ policy, place }];
  });
  if (moves.length === 0) return changed;
  const places = moves.flatMap(({ policy, place }) => [policy.precedence, place]);
  const tail = await takeTail(records, platform, Math.min(...places), now);
  for (const { policy, place } of moves) moveTo(tail, policy.id, place);
  const settled = new Map(moved(tail.ordered, tail.from).map((policy) => [policy.id, policy]));
  const own = changed.map((policy) => ({
    ...policy,
    precedence: settled.get(policy.id)?.precedence ?? policy.precedence,
  }));
  const ids = new Set(changed.map(({ id }) => id));
  return [...own, ...[...settled.values()].filter(({ id }) => !ids.has(id))];
}
