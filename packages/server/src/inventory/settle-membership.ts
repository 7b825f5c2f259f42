import { where, type Predicate } from "@security-platform/fql";
import type { Reaction, RecordChange, Transaction } from "../store/index.ts";
import { readAssignmentRule } from "./assignment-rule.ts";
import { GroupRules } from "./group-rules.ts";
import type { HostGroup } from "./host-groups.ts";
import { assignGroupsKind } from "./assign-groups.ts";
import { hosts, type Host } from "./hosts.ts";

type GroupChange = RecordChange<HostGroup>;

const batch = 1_000;
/** Maximum number of host names per query. */
const namesAtOnce = 100;
/**
 * Maximum number of hosts to look at in the transaction that changes groups. SQLite has one write lock, so
 * a job does the rest in transactions of its own.
 */
const hostsAtOnce = 2_000;
/** Above this number of changed rules, one scan of all hosts is cheaper than a query per rule. */
const rulesAtOnce = 4;

/**
 * Updates the group ids of hosts in batches, and rewrites only hosts whose groups change. If many hosts are
 * affected, a job updates the rest; they keep their old groups until it has run.
 */
export const settleMembership: Reaction<HostGroup> = { run: settle };

async function settle(
  transaction: Transaction,
  changes: readonly GroupChange[],
  now: Date,
): Promise<void> {
  const moved = changes.filter(({ before, after }) => before?.fingerprint !== after?.fingerprint);
  if (moved.length === 0) return;
  const rules = await GroupRules.load(transaction, now);
  const writable = transaction.records(hosts);
  let looked = 0;
  for await (const part of hostsToLookAt(transaction, moved, now)) {
    const some = part.slice(0, Math.min(hostsAtOnce, rules.hostsPerTransaction) - looked);
    looked += some.length;
    const changed = await rules.changed(some);
    if (changed.length > 0) await writable.replace(changed, now);
    if (some.length < part.length) {
      await transaction.enqueue({ kind: assignGroupsKind, key: assignGroupsKind }, now);
      return;
    }
  }
}

async function* hostsToLookAt(
  transaction: Transaction,
  changes: readonly GroupChange[],
  now: Date,
): AsyncGenerator<readonly Host[]> {
  const writable = transaction.records(hosts);
  const ruled = changes.filter(({ before, after }) => byRule(before) || byRule(after));
  if (ruled.length > rulesAtOnce) {
    yield* writable.scanComplete(where.everything, now, batch);
    return;
  }
  for (const { before, after } of ruled) {
    const id = (after ?? before)?.id ?? "";
    const members = after === null ? where.nothing : ruleOf(after);
    yield* writable.scanComplete(differs(where.equal("groups", id), members), now, batch);
  }
  const listed = changes.filter((change) => !ruled.includes(change));
  for (const ids of parts(
    listed.flatMap((change) => changedEntries(change, "device_ids")),
    batch,
  )) {
    yield [...(await writable.getForUpdate(ids)).values()];
  }
  const names = listed.flatMap((change) => changedEntries(change, "hostnames"));
  for (const some of parts(names, namesAtOnce)) {
    yield* writable.scanComplete(where.any(...some.map(isNamed)), now, batch);
  }
}

const byRule = (group: HostGroup | null): boolean => group?.group_type === "dynamic";

/** The hosts of a group that is dynamic, or was dynamic before the change. */
function ruleOf({ group_type, assignment_rule, device_ids, hostnames }: HostGroup): Predicate {
  if (group_type === "dynamic") return readAssignmentRule(assignment_rule);
  if (device_ids !== undefined && device_ids.length > 0) {
    return where.anyOf("device_id", device_ids);
  }
  return where.any(...(hostnames ?? []).map(isNamed));
}

const isNamed = (name: string): Predicate => where.equalFolded("hostname", name);

const differs = (left: Predicate, right: Predicate): Predicate =>
  where.any(where.all(left, where.not(right)), where.all(where.not(left), right));

/** Entries of only one of the two lists. */
function changedEntries(
  { before, after }: GroupChange,
  list: "device_ids" | "hostnames",
): readonly string[] {
  const [old, fresh] = [new Set(before?.[list]), new Set(after?.[list])];
  return [...fresh]
    .filter((entry) => !old.has(entry))
    .concat([...old].filter((entry) => !fresh.has(entry)));
}

function* parts<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
