import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import { listRecords } from "../../records/list.ts";
import { indicators } from "./indicators.ts";
import { selectedRecords } from "./inherited.ts";

/** Maximum of offset + limit; cursors have no limit. */
const searchWindow = 10_000;

/** The default sort of lists and reports. */
export const newestFirst = "created_on.desc";

/** A page of indicators or of their ids; the default order is newest first. */
export function listIndicators(
  call: Call<"indicator.combined.v1" | "indicator.search.v1">,
  shape: "records" | "ids",
): Promise<Answer> {
  const { caller, context, now, query } = call;
  const { sort } = query;
  return listRecords(
    { caller, context, now, query: { ...query, sort: sort?.trim() ? sort : newestFirst } },
    {
      resource: indicators,
      shape,
      records: selectedRecords(query.from_parent),
      window: searchWindow,
      bothWays: true,
    },
  );
}
