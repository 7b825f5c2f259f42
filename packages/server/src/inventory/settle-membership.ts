import { foldCase, type Predicate } from "@security-platform/fql";
import type { Transaction } from "../store/types.ts";
import { readAssignmentRule } from "./assignment-rule.ts";
import { GroupRules } from "./group-rules.ts";
import type { HostGroup } from "./host-groups.ts";
import { hosts, type Host } from "./hosts.ts";

/** A group as it was, if it was there, and as it is. */
export interface GroupChange {
  readonly before?: HostGroup;
  readonly after: HostGroup;
}

const batch = 1_000;
/** Names that one query asks for. */
const namesAtOnce = 100;
/** Of more changed rules, looking at every host once is cheaper than a query for each. */
const rulesAtOnce = 4;

/**
 * Brings the hosts' `groups` up to date after groups have changed, in the transaction that changed
 * them. Reads in batches; only hosts whose groups change are rewritten.
 */
export async function settleMembership(
  transaction: Transaction,
  changes: readonly GroupChange[],
  now: Date,
): Promise<void> {
  const moved = changes.filter(({ before, after }) => before?.fingerprint !== after.fingerprint);
  if (moved.length === 0) return;
  const rules = await GroupRules.load(transaction, now);
  const writable = transaction.records(hosts);
  for await (const part of hostsToLookAt(transaction, moved, now)) {
    const changed = part.flatMap((host) => {
      const applied = rules.apply(host);
      return applied === host ? [] : [applied];
    });
    if (changed.length > 0) await writable.replace(changed, now);
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
    yield* writable.scanWhole({ kind: "everything" }, now, batch);
    return;
  }
  for (const { after } of ruled) {
    yield* writable.scanWhole(differs(inGroup(after.id), ruleOf(after)), now, batch);
  }
  const listed = changes.filter((change) => !ruled.includes(change));
  for (const ids of parts(
    listed.flatMap((change) => changedEntries(change, "device_ids")),
    batch,
  )) {
    // oxlint-disable-next-line no-await-in-loop -- constant memory
    yield [...(await writable.take(ids)).values()];
  }
  const names = listed.flatMap((change) => changedEntries(change, "hostnames"));
  for (const some of parts(names, namesAtOnce)) {
    yield* writable.scanWhole({ kind: "or", operands: some.map(isNamed) }, now, batch);
  }
}

const byRule = (group: HostGroup | undefined): boolean => group?.group_type === "dynamic";

/** Hosts that a group which is or was dynamic has now. */
function ruleOf({ group_type, assignment_rule, device_ids, hostnames }: HostGroup): Predicate {
  if (group_type === "dynamic") return readAssignmentRule(assignment_rule);
  if (device_ids !== undefined && device_ids.length > 0) {
    return { kind: "any-of", field: "device_id", values: device_ids };
  }
  if (hostnames === undefined || hostnames.length === 0) return { kind: "nothing" };
  return { kind: "or", operands: hostnames.map(isNamed) };
}

const inGroup = (id: string): Predicate => ({
  kind: "equal",
  field: "groups",
  value: id,
  fold: false,
});

const isNamed = (name: string): Predicate => ({
  kind: "equal",
  field: "hostname",
  value: foldCase(name),
  fold: true,
});

const differs = (left: Predicate, right: Predicate): Predicate => ({
  kind: "or",
  operands: [
    { kind: "and", operands: [left, { kind: "not", operand: right }] },
    { kind: "and", operands: [{ kind: "not", operand: left }, right] },
  ],
});

/** What is in one of the two lists only. */
function changedEntries(
  { before, after }: GroupChange,
  list: "device_ids" | "hostnames",
): readonly string[] {
  const [old, fresh] = [new Set(before?.[list]), new Set(after[list])];
  return [...fresh]
    .filter((entry) => !old.has(entry))
    .concat([...old].filter((entry) => !fresh.has(entry)));
}

function* parts<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
