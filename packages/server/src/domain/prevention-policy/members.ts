import type { Predicate } from "@security-platform/fql";
import { errors } from "../../errors.ts";
import type { Answer, Call } from "../../http/handler.ts";
import { listRecords } from "../../records/list.ts";
import type { PageQuery, Records } from "../../store/types.ts";
import { hosts } from "../hosts/hosts.ts";
import { isDefault, policyNoun, preventionPolicies, type StoredPolicy } from "./policies.ts";

type MembersCall = Call<"queryCombinedPreventionPolicyMembers" | "queryPreventionPolicyMembers">;

/** A page of the hosts that a policy applies to; without `id` of those that any policy applies to. */
export async function listMembers(call: MembersCall, shape: PageQuery["shape"]): Promise<Answer> {
  const { query, caller, context, now } = call;
  const { id } = query;
  const policies = context.store.records(preventionPolicies, { cid: caller.cid });
  const where = id === undefined ? anyPolicy : await membersOf(policies, id, now);
  return listRecords(call, { resource: hosts, shape, records: "own", where });
}

/** Every platform that hosts have has a default policy. */
const anyPolicy: Predicate = { kind: "present", field: "platform_name" };

/** The hosts whose policy it is; 404 when there is no such policy. */
export async function membersOf(
  policies: Records<StoredPolicy>,
  id: string,
  now: Date,
): Promise<Predicate> {
  const policy = (await policies.whole([id], now)).get(id);
  if (policy === undefined) throw errors.recordsNotFound(policyNoun, [id]);
  const { platform_name, enabled, group_ids } = policy;
  if (!enabled) return { kind: "nothing" };
  const earlier = await policies.distinct("group_ids", enabledBefore(policy), {
    now,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const taken = inAnyOf(earlier);
  return {
    kind: "and",
    operands: [
      { kind: "equal", field: "platform_name", value: platform_name, fold: false },
      ...(isDefault(policy) ? [] : [inAnyOf(group_ids)]),
      { kind: "not", operand: taken },
    ],
  };
}

const inAnyOf = (groups: readonly string[]): Predicate =>
  groups.length === 0 ? { kind: "nothing" } : { kind: "any-of", field: "groups", values: groups };

/** The policies that a host of the same platform gets before this one. */
const enabledBefore = ({ platform_name, precedence }: StoredPolicy): Predicate => ({
  kind: "and",
  operands: [
    { kind: "equal", field: "platform_name", value: platform_name, fold: false },
    { kind: "equal", field: "enabled", value: true, fold: false },
    { kind: "compare", field: "precedence", operator: "<", value: precedence },
  ],
});
