import { errors } from "../errors.ts";
import type { WritableRecords } from "../store/types.ts";

/** The tenant's records in the order of `ids`, locked; 404 that names the missing ones. */
export async function takeRecords<Record extends object>(
  records: WritableRecords<Record>,
  noun: string,
  ids: readonly string[],
): Promise<readonly Record[]> {
  const stored = await records.take(ids);
  const missing = ids.filter((id) => !stored.has(id));
  if (missing.length > 0) throw errors.recordsNotFound(noun, missing);
  return ids.flatMap((id) => stored.get(id) ?? []);
}
