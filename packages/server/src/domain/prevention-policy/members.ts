import type { Predicate } from "@security-platform/fql";
import { fqlTables } from "@security-platform/spec";
import { errors } from "../../errors.ts";
import type { Answer } from "../../answer.ts";
import type { Call } from "../../call.ts";
import { listRecords } from "../../records/list.ts";
import type { PageQuery, Store } from "../../store/types.ts";
import { hosts, manyGroups, readMembership } from "../../inventory/hosts.ts";
import { membershipsOf } from "../../inventory/memberships.ts";
import { isDefault, policyNoun, preventionPolicies, type StoredPolicy } from "./policies.ts";

type MembersCall = Call<"queryCombinedPreventionPolicyMembers" | "queryPreventionPolicyMembers">;

/** A page of the hosts that a policy applies to; without `id` of those that any policy applies to. */
export async function listMembers(call: MembersCall, shape: PageQuery["shape"]): Promise<Answer> {
  const { query, caller, context, now } = call;
  const { id } = query;
  const where = id === undefined ? anyPolicy : await membersOf(context.store, caller.cid, id, now);
  const { fields } = fqlTables.hosts;
  return listRecords(call, { resource: hosts, shape, records: "own", where, fields });
}

/** Every platform that hosts have has a default policy. */
const anyPolicy: Predicate = { kind: "present", field: "platform_name" };

/** Which hosts a policy applies to. */
interface Reach {
  readonly platform: string;
  /** A host must be in one of these; null: a default policy needs none. */
  readonly groups: ReadonlySet<string> | null;
  /** Hosts in one of these have a policy that comes before. */
  readonly taken: ReadonlySet<string>;
}

/** The hosts whose policy it is; 404 when there is no such policy. */
export async function membersOf(
  store: Store,
  cid: string,
  id: string,
  now: Date,
): Promise<Predicate> {
  const policies = store.records(preventionPolicies, { cid });
  const policy = (await policies.whole([id], now)).get(id);
  if (policy === undefined) throw errors.recordsNotFound(policyNoun, [id]);
  if (!policy.enabled) return nobody;
  const earlier = await policies.distinct("group_ids", enabledBefore(policy), {
    now,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const reach = {
    platform: policy.platform_name,
    groups: isDefault(policy) ? null : new Set(policy.group_ids),
    taken: new Set(earlier),
  };
  const known = await membershipsOf(store, cid, now);
  if (known === null) return hostByHost(reach);
  const values = known.filter((membership) => isReached(readMembership(membership), reach));
  const named: Predicate = { kind: "any-of", field: "membership", values };
  if (!known.includes(manyGroups)) return values.length === 0 ? nobody : named;
  const others = { kind: "equal", field: "membership", value: manyGroups, fold: false } as const;
  return {
    kind: "or",
    operands: [named, { kind: "and", operands: [others, hostByHost(reach)] }],
  };
}

const nobody: Predicate = { kind: "nothing" };

const isReached = (
  { platform, groups }: ReturnType<typeof readMembership>,
  reach: Reach,
): boolean =>
  platform === reach.platform &&
  (reach.groups === null || groups.some((group) => reach.groups?.has(group))) &&
  !groups.some((group) => reach.taken.has(group));

/** The same, to be judged for one host after the other. */
const hostByHost = ({ platform, groups, taken }: Reach): Predicate => ({
  kind: "and",
  operands: [
    { kind: "equal", field: "platform_name", value: platform, fold: false },
    ...(groups === null ? [] : [inAnyOf(groups)]),
    { kind: "not", operand: inAnyOf(taken) },
  ],
});

const inAnyOf = (groups: ReadonlySet<string>): Predicate =>
  groups.size === 0 ? nobody : { kind: "any-of", field: "groups", values: [...groups] };

/** The policies that a host of the same platform gets before this one. */
const enabledBefore = ({ platform_name, precedence }: StoredPolicy): Predicate => ({
  kind: "and",
  operands: [
    { kind: "equal", field: "platform_name", value: platform_name, fold: false },
    { kind: "equal", field: "enabled", value: true, fold: false },
    { kind: "compare", field: "precedence", operator: "<", value: precedence },
  ],
});
