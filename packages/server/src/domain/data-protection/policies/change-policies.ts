import { defined } from "../../../records/defined.ts";
import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { refuseRepeated } from "../../../records/distinct.ts";
import type { PlacedChange } from "../../../records/plain/kind.ts";
import { moved } from "../../../records/precedence.ts";
import type { Author, Writing } from "../../../records/write.ts";
import type { WritableRecords } from "../../../store/index.ts";
import { moveTo, takeTail } from "./order.ts";
import { modification, policies, type Policy } from "./policies.ts";
import { changedProperties } from "./properties.ts";
import type { Platform } from "./property-table.ts";
import { refuseBadReferencesOf } from "./references.ts";
import { lockPolicies } from "./lock-policies.ts";

type Change = components["schemas"]["DataProtectionPolicyUpdateInput"];

/**
 * Changes policies of a platform and returns them in the order of the changes. Throws the errors of
 * entities.policy.patch.v2 for invalid changes.
 */
export async function changePolicies(
  writing: Writing,
  platform: Platform,
  changes: readonly Change[],
): Promise<readonly Policy[]> {
  const placed = changes.map((change, index) => ({ ...change, at: `body.resources[${index}]` }));
  refuseRepeated(placed, policies.noun);
  const records = writing.records(policies.resource);
  const ids = changes.map(({ id }) => id);
  const stored = await lockPolicies(records, platform, ids);
  const planned = applyChanges(stored, placed, writing.author);
  const conflicts = planned.flatMap((each, index) => defaultProblems(each, changes[index]));
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  await refuseBadReferencesOf(writing.transaction, planned);
  const changed = planned.map(({ after }) => after);
  const ordered = await inPlace(records.stored, platform, changed, changes, writing.now);
  await records.stored.replace(ordered, writing.now);
  writing.audit(ids);
  return ordered.slice(0, changed.length);
}

function applyChanges(
  stored: readonly Policy[],
  changes: readonly (Change & { readonly at: string })[],
  author: Author,
): readonly PlacedChange<Policy>[] {
  const problems: Problem[] = [];
  const planned: PlacedChange<Policy>[] = [];
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
      ...modification(author),
    };
    planned.push({ at, before, after });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return planned;
}

/** Problems of members that a default policy cannot change. */
function defaultProblems(
  { at, before, after }: PlacedChange<Policy>,
  change: Change | undefined,
): readonly Problem[] {
  if (before === null || !before.is_default) return [];
  const { id, name, platform_name, precedence } = before;
  const called = `the default policy of ${platform_name}`;
  const place = change?.precedence ?? precedence;
  const refusals: readonly (readonly [keyof Change, boolean, string])[] = [
    ["name", after.name !== name, `${called} keeps the name ${name}; omit the name`],
    ["is_enabled", !after.is_enabled, `${called} is always enabled`],
    ["precedence", place !== precedence, `${called} comes last; omit precedence`],
    ["host_groups", after.host_groups.length > 0, `${called} has no host groups`],
  ];
  return refusals.flatMap(([member, refused, message]) =>
    refused ? [{ at: `${at}.${member}`, id, message }] : [],
  );
}

/**
 * Moves the changed policies to their requested places. Returns them and the other policies that move as a
 * result.
 */
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
