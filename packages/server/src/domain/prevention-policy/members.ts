import { where, type Predicate } from "@security-platform/fql";
import { errors } from "../../foundation/errors.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import { listRecords } from "../../records/list.ts";
import type { PageQuery, Store } from "../../store/index.ts";
import { hostList, manyGroups, readMembership } from "../../inventory/hosts.ts";
import { membershipsOf } from "../../inventory/memberships.ts";
import { isDefault, policyNoun, preventionPolicies, type StoredPolicy } from "./policies.ts";

type MembersCall = Call<"queryCombinedPreventionPolicyMembers" | "queryPreventionPolicyMembers">;

/** A page of the hosts to which a policy applies; without `id`, of all hosts with a policy. */
export async function listMembers(call: MembersCall, shape: PageQuery["shape"]): Promise<Answer> {
  const { query, caller, context, now } = call;
  const { id } = query;
  // Without an id: all hosts, because each platform of a host has a default policy.
  const members =
    id === undefined
      ? where.present("platform_name")
      : await membersOf(context.store, caller.cid, id, now);
  return listRecords(call, { ...hostList, shape, where: members });
}

/** The conditions for hosts to which a policy applies. */
interface Reach {
  readonly platform: string;
  /** A host must be in one of these groups. Null for a default policy, which applies to all other hosts. */
  readonly groups: ReadonlySet<string> | null;
  /** Hosts in one of these groups get an earlier policy in the order. */
  readonly taken: ReadonlySet<string>;
}

/** The hosts to which the policy applies. Throws a 404 for an unknown policy. */
export async function membersOf(
  store: Store,
  cid: string,
  id: string,
  now: Date,
): Promise<Predicate> {
  const policies = store.records(preventionPolicies, { cid });
  const policy = (await policies.getComplete([id], now)).get(id);
  if (policy === undefined) throw errors.recordsNotFound(policyNoun, [id]);
  if (!policy.enabled) return where.nothing;
  const earlier = await policies.distinct("group_ids", enabledBefore(policy), {
    now,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const reach = {
    platform: policy.platform_name,
    groups: isDefault(policy) ? null : new Set(policy.group_ids),
    taken: new Set(earlier),
  };
  const memberships = await membershipsOf(store, cid, now);
  if (memberships === null) return hostsInReach(reach);
  const values = memberships.filter((membership) => isReached(readMembership(membership), reach));
  const listed = where.anyOf("membership", values);
  if (!memberships.includes(manyGroups)) return listed;
  return where.any(listed, where.all(where.equal("membership", manyGroups), hostsInReach(reach)));
}

const isReached = (
  { platform, groups }: ReturnType<typeof readMembership>,
  reach: Reach,
): boolean =>
  platform === reach.platform &&
  (reach.groups === null || groups.some((group) => reach.groups?.has(group))) &&
  !groups.some((group) => reach.taken.has(group));

/** The same condition as a predicate over the groups of each host. */
const hostsInReach = ({ platform, groups, taken }: Reach): Predicate =>
  where.all(
    where.equal("platform_name", platform),
    groups === null ? where.everything : inAnyOf(groups),
    where.not(inAnyOf(taken)),
  );

const inAnyOf = (groups: ReadonlySet<string>): Predicate => where.anyOf("groups", [...groups]);

/** Enabled policies of the same platform that precede this one in the order. */
const enabledBefore = ({ platform_name, precedence }: StoredPolicy): Predicate =>
  where.all(
    where.equal("platform_name", platform_name),
    where.equal("enabled", true),
    where.compare("precedence", "<", precedence),
  );
