import type { Predicate, SortKey } from "@security-platform/fql";
import { errors } from "../../foundation/errors.ts";
import type { Caller } from "../../calls/call.ts";
import type { Context } from "../../calls/context.ts";
import {
  downloadOrder,
  downloads,
  downloadWindow,
  servedDownload,
  type CatalogueEntry,
} from "./downloads.ts";

interface DownloadCall {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}

/** All matching files in one response; 400 for more than 1,000, with the advice `remedy`. */
export async function findDownloads(
  { caller, context, now }: DownloadCall,
  predicate: Predicate,
  { sort = [], remedy }: { readonly sort?: readonly SortKey[]; readonly remedy: string },
): Promise<readonly CatalogueEntry[]> {
  const { items, total = 0 } = await context.store.records(downloads, { cid: caller.cid }).page({
    predicate,
    sort: downloadOrder(sort),
    limit: downloadWindow,
    offset: 0,
    shape: "records",
    now,
  });
  if (total > downloadWindow) {
    const message = `${total} files match, more than the maximum of ${downloadWindow} in one response; ${remedy}`;
    throw errors.invalidRequest([{ at: "", message }]);
  }
  return items.map(servedDownload);
}
