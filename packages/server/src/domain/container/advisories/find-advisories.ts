import { where } from "@security-platform/fql";
import type { Store } from "../../../store/types.ts";
import { advisories } from "./advisories.ts";
import type { FindAdvisories } from "./match.ts";

/** Packages per query. */
const batch = 500;

/** Looks advisories up in the store. */
export function findAdvisories(
  store: Pick<Store, "records">,
  cid: string,
  now: Date,
): FindAdvisories {
  const records = store.records(advisories, { cid });
  return async function* (keys) {
    for (let start = 0; start < keys.length; start += batch) {
      yield* records.scanWhole(where.anyOf("packages", keys.slice(start, start + batch)), now);
    }
  };
}
