import { createHash } from "node:crypto";
import { evaluate, foldCase, where, type Predicate } from "@security-platform/fql";
import type { Transaction } from "../store/types.ts";
import { readAssignmentRule } from "./assignment-rule.ts";
import { hostGroups, type HostGroup } from "./host-groups.ts";
import { hosts, membershipOf, type Host } from "./hosts.ts";

/** Limit for reading all groups of a tenant. */
export const groupCeiling = 100_000;

/** The groups of a tenant, prepared to compute the memberships of many hosts. */
export class GroupRules {
  readonly #fingerprints: readonly string[];
  readonly #dynamic: (readonly [id: string, rule: Predicate])[] = [];
  readonly #byDevice = new Map<string, string[]>();
  readonly #byName = new Map<string, string[]>();

  constructor(groups: readonly HostGroup[], fingerprints: readonly string[]) {
    this.#fingerprints = fingerprints;
    for (const { id, group_type, assignment_rule, device_ids, hostnames } of groups) {
      if (group_type === "dynamic") this.#dynamic.push([id, readAssignmentRule(assignment_rule)]);
      for (const device of device_ids ?? []) note(this.#byDevice, device, id);
      for (const name of hostnames ?? []) note(this.#byName, foldCase(name), id);
    }
  }

  /** Loads the tenant's rules inside a transaction; returns `known` if they have not changed. */
  static async load(transaction: Transaction, now: Date, known?: GroupRules): Promise<GroupRules> {
    const groups = transaction.records(hostGroups);
    const options = { now, limit: groupCeiling };
    const fingerprints = await groups.distinct("fingerprint", where.everything, options);
    if (known !== undefined && known.#fingerprints.join() === fingerprints.join()) return known;
    return new GroupRules(await groups.findForUpdate(where.everything, now), fingerprints);
  }

  /** The host with its current groups; the same object if they have not changed. */
  apply(host: Host): Host {
    const groups = this.#groupsOf(host);
    const group_hash = createHash("sha256").update(groups.join()).digest("hex");
    const membership = membershipOf({ ...host, groups });
    const isSo =
      host.group_hash === group_hash &&
      host.membership === membership &&
      host.groups?.join() === groups.join();
    return isSo ? host : inOrder({ ...host, groups, group_hash, membership });
  }

  #groupsOf(host: Host): readonly string[] {
    const { device_id, hostname } = host;
    const byName = hostname === undefined ? undefined : this.#byName.get(foldCase(hostname));
    const found = [...(this.#byDevice.get(device_id) ?? []), ...(byName ?? [])];
    for (const [id, rule] of this.#dynamic) {
      if (evaluate(rule, host, hosts.fields)) found.push(id);
    }
    return [...new Set(found)].toSorted();
  }
}

function note(groups: Map<string, string[]>, member: string, id: string): void {
  const known = groups.get(member);
  if (known === undefined) groups.set(member, [id]);
  else known.push(id);
}

/** Orders the members by name, so that equal hosts have equal JSON text. */
const inOrder = (host: Host): Host =>
  Object.fromEntries(
    Object.entries(host).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ) as unknown as Host;
