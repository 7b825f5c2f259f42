import { createHash } from "node:crypto";
import { evaluate, foldCase, where, type Predicate } from "@security-platform/fql";
import { pause } from "../foundation/work-turns.ts";
import type { Transaction } from "../store/index.ts";
import { readAssignmentRule } from "./assignment-rule.ts";
import { hostGroups, type HostGroup } from "./host-groups.ts";
import { hosts, membershipOf, type Host } from "./hosts.ts";

/** Limit for reading all groups of a tenant. */
export const groupCeiling = 100_000;

/** Number of conditions that take about a second to evaluate. */
const conditionsPerTransaction = 2_000_000;

/** The groups of a tenant, prepared to compute the memberships of many hosts. */
export class GroupRules {
  readonly #fingerprints: readonly string[];
  readonly #dynamic: (readonly [id: string, rule: Predicate])[] = [];
  readonly #byDevice = new Map<string, string[]>();
  readonly #byName = new Map<string, string[]>();
  /** Number of conditions in all rules. */
  #conditions = 0;

  private constructor(fingerprints: readonly string[]) {
    this.#fingerprints = fingerprints;
  }

  /** Reads the rules of groups. Other requests run meanwhile. */
  static async of(
    groups: readonly HostGroup[],
    fingerprints: readonly string[] = [],
  ): Promise<GroupRules> {
    const rules = new GroupRules(fingerprints);
    for (const group of groups) {
      rules.#add(group);
      await pause();
    }
    return rules;
  }

  /** Loads the tenant's rules inside a transaction; returns `cached` if they have not changed. */
  static async load(transaction: Transaction, now: Date, cached?: GroupRules): Promise<GroupRules> {
    const groups = transaction.records(hostGroups);
    const options = { now, limit: groupCeiling };
    const fingerprints = await groups.distinct("fingerprint", where.everything, options);
    if (cached !== undefined && cached.#fingerprints.join() === fingerprints.join()) return cached;
    return GroupRules.of(await groups.findForUpdate(where.everything, now), fingerprints);
  }

  /** Maximum number of hosts for one transaction, because all other writes wait for it on SQLite. */
  get hostsPerTransaction(): number {
    return Math.max(1, Math.floor(conditionsPerTransaction / Math.max(this.#conditions, 1)));
  }

  /** The hosts with their current groups; unchanged hosts are the same objects. Lets other requests run. */
  async apply(some: readonly Host[]): Promise<readonly Host[]> {
    const applied: Host[] = [];
    for (const host of some) {
      applied.push(this.#apply(host));
      await pause();
    }
    return applied;
  }

  /** The hosts whose groups have changed, with their current groups. */
  async changed(some: readonly Host[]): Promise<readonly Host[]> {
    const applied = await this.apply(some);
    return applied.filter((host, index) => host !== some[index]);
  }

  #add({ id, group_type, assignment_rule, device_ids, hostnames }: HostGroup): void {
    if (group_type === "dynamic") {
      const rule = readAssignmentRule(assignment_rule);
      this.#dynamic.push([id, rule]);
      this.#conditions += conditionsIn(rule);
    }
    for (const device of device_ids ?? []) note(this.#byDevice, device, id);
    for (const name of hostnames ?? []) note(this.#byName, foldCase(name), id);
  }

  #apply(host: Host): Host {
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
    const groupIds = [...(this.#byDevice.get(device_id) ?? []), ...(byName ?? [])];
    for (const [id, rule] of this.#dynamic) {
      if (evaluate(rule, host, hosts.fields)) groupIds.push(id);
    }
    return [...new Set(groupIds)].toSorted();
  }
}

function conditionsIn(predicate: Predicate): number {
  if ("operands" in predicate) {
    return predicate.operands.reduce((sum, operand) => sum + conditionsIn(operand), 0);
  }
  return "operand" in predicate ? conditionsIn(predicate.operand) : 1;
}

function note(groups: Map<string, string[]>, member: string, id: string): void {
  const ids = groups.get(member);
  if (ids === undefined) groups.set(member, [id]);
  else ids.push(id);
}

/** Orders the members by name, so that equal hosts have equal JSON text. */
const inOrder = (host: Host): Host =>
  Object.fromEntries(
    Object.entries(host).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ) as unknown as Host;
