import { where } from "@security-platform/fql";
import type { Problem } from "../../foundation/errors.ts";
import type { Transaction } from "../../store/index.ts";
import type { Kind, PlainRecord, Use } from "./kind.ts";
import { isLive, textsAt } from "./members.ts";

/** Maximum number of referring records that an error lists. */
const usersListed = 100;

/** One problem for each record that refers to one of these records. */
export async function useProblems<Record extends PlainRecord>(
  transaction: Transaction,
  { noun }: Kind<Record>,
  records: readonly Record[],
  uses: readonly Use<Record>[],
  now: Date,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const use of uses) {
    const { kind, field, keyOf = ({ id }) => id, means = () => true } = use;
    const nameOf = use.nameOf ?? (({ name }: PlainRecord) => name);
    const path = kind.resource.fields[field]?.path ?? field;
    const keysIn = use.keysIn ?? ((user: PlainRecord) => textsAt(user, path));
    const keyed = records.flatMap((record) => {
      const key = keyOf(record);
      return key === "" ? [] : [{ record, key }];
    });
    if (keyed.length === 0) continue;
    const users = await usersOf(
      transaction,
      use,
      keyed.map(({ key }) => key),
      now,
    );
    for (const user of users) {
      const keys = new Set(keysIn(user));
      for (const { record, key } of keyed) {
        if (!keys.has(key) || !means(user, record)) continue;
        const message = `the ${noun} ${record.id}, ${record.name}, is in use by the ${kind.noun} ${user.id}, ${nameOf(user)}; change that one first`;
        problems.push({ at: "", id: record.id, message });
      }
    }
  }
  return problems;
}

async function usersOf<Record extends PlainRecord>(
  transaction: Transaction,
  { kind, field }: Use<Record>,
  keys: readonly string[],
  now: Date,
): Promise<readonly PlainRecord[]> {
  const predicate = where.all(where.anyOf(field, [...new Set(keys)]), isLive(kind.resource));
  const records = transaction.records(kind.resource);
  const query = { predicate, sort: [], limit: usersListed, shape: "ids", now, offset: 0 } as const;
  const { items } = await records.page(query);
  const users = await records.getComplete(items, now);
  return items.flatMap((id) => users.get(id) ?? []);
}
