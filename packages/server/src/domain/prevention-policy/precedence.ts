import { compareCodePoints } from "@security-platform/fql";
import type { Platform } from "../../catalogue/prevention-settings.ts";
import { errors, type Problem } from "../../errors.ts";
import type { WritableRecords } from "../../store/types.ts";
import { isDefault, ordinaryOf, policyNoun, type StoredPolicy } from "./policies.ts";

/** Numbers the policies of a platform from 1 on again, in the order they have. */
export async function closeGaps(
  records: WritableRecords<StoredPolicy>,
  platform: Platform,
  now: Date,
): Promise<void> {
  const policies = await records.takeMatching(ordinaryOf(platform), now);
  const ordered = policies.toSorted((left, right) => left.precedence - right.precedence);
  await renumber(records, ordered, now);
}

/**
 * Puts the policies of a platform into the order of `ids`. Throws what
 * setPreventionPoliciesPrecedence answers to a list that is not exactly those.
 */
export async function setPrecedence(
  records: WritableRecords<StoredPolicy>,
  platform: Platform,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const policies = await records.takeMatching(ordinaryOf(platform), now);
  const own = new Map(policies.map((policy) => [policy.id, policy]));
  const others = ids.filter((id) => !own.has(id));
  const elsewhere = others.length === 0 ? new Map() : await records.take(others);
  const unknown = others.filter((id) => !elsewhere.has(id));
  if (unknown.length > 0) throw errors.recordsNotFound(policyNoun, unknown);
  const problems = [
    ...strayProblems(ids, elsewhere, platform),
    ...lackProblems(policies, new Set(ids), platform),
  ];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const ordered = ids.flatMap((id) => own.get(id) ?? []);
  await renumber(records, ordered, now);
}

/** Precedence is no part of what a policy says: it does not count as modified. */
async function renumber(
  records: WritableRecords<StoredPolicy>,
  ordered: readonly StoredPolicy[],
  now: Date,
): Promise<void> {
  const moved = ordered.flatMap((policy, index) =>
    policy.precedence === index + 1 ? [] : [{ ...policy, precedence: index + 1 }],
  );
  if (moved.length > 0) await records.replace(moved, now);
}

const strayProblems = (
  ids: readonly string[],
  elsewhere: ReadonlyMap<string, StoredPolicy>,
  platform: Platform,
): readonly Problem[] =>
  ids.flatMap((id, index) => {
    const policy = elsewhere.get(id);
    if (policy === undefined) return [];
    const message =
      isDefault(policy) && policy.platform_name === platform
        ? `${id} is the default policy, which stays last; leave it out`
        : `${id} is a policy of ${policy.platform_name}, not of ${platform}`;
    return [{ at: `body.ids[${index}]`, id, message }];
  });

const lackProblems = (
  policies: readonly StoredPolicy[],
  listed: ReadonlySet<string>,
  platform: Platform,
): readonly Problem[] =>
  policies
    .filter(({ id }) => !listed.has(id))
    .toSorted((left, right) => compareCodePoints(left.id, right.id))
    .map(({ id, name }) => ({
      at: "body.ids",
      id,
      message: `lacks ${id}, ${name}; name every policy of ${platform} but the default one`,
    }));
