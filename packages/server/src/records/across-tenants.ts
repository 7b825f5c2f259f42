import type { Predicate } from "@security-platform/fql";
import type { Records, Store } from "../store/index.ts";

type Reads = Pick<Records<object>, "get" | "page">;

interface NewestQuery<Record extends object> {
  /** Default: all tenants. */
  readonly cid: string | undefined;
  readonly predicate: Predicate;
  /** The timestamp by which the newest records come first. */
  readonly newestBy: keyof Record & string;
  readonly limit: number;
}

/** Records of one tenant or of all tenants, newest first. For operators. */
export async function listNewest<Record extends object>(
  store: Store,
  recordsOf: (cid: string) => Reads,
  { cid, predicate, newestBy, limit }: NewestQuery<Record>,
  now: Date,
): Promise<readonly Record[]> {
  const sort = [{ field: newestBy, direction: "desc" }] as const;
  const records: Record[] = [];
  for (const tenant of await cidsOf(store, cid)) {
    const { items } = await recordsOf(tenant).page({
      predicate,
      sort,
      limit,
      shape: "records",
      now,
    });
    records.push(...items.map((text) => JSON.parse(text) as Record));
  }
  const newestFirst = ({ [newestBy]: left }: Record, { [newestBy]: right }: Record): number =>
    Number(left < right) - Number(left > right);
  return records.toSorted(newestFirst).slice(0, limit);
}

/** The text of a record of any tenant; null for an unknown id. For operators. */
export async function findInAnyTenant(
  store: Store,
  recordsOf: (cid: string) => Reads,
  id: string,
  now: Date,
): Promise<string | null> {
  for (const cid of await cidsOf(store)) {
    const text = (await recordsOf(cid).get([id], now)).get(id);
    if (text !== undefined) return text;
  }
  return null;
}

const cidsOf = async (store: Store, cid?: string): Promise<readonly string[]> =>
  cid === undefined ? (await store.directory.tenants()).map((tenant) => tenant.cid) : [cid];
