import { indicators } from "../../domain/ioc/indicators.ts";
import { writeOwn } from "../../domain/ioc/own-indicators.ts";
import { selectIndicators, takeSelected } from "../../domain/ioc/selection.ts";
import { inheritedSelection } from "../../domain/ioc/inherited.ts";
import { errors } from "../../foundation/errors.ts";
import type { Call } from "../../calls/call.ts";
import type { Handler } from "../../calls/handler.ts";
import { write } from "../../records/write.ts";

type DeleteCall = Call<"indicator.delete.v1">;

/** Deletes the indicators that `filter` selects or, without it, those of `ids`; all or none. */
export const indicatorDeleteV1: Handler<"indicator.delete.v1"> = async (call) => {
  const { filter, ids, from_parent } = call.query;
  if (from_parent === true) throw inheritedSelection("query.from_parent");
  if (filter !== undefined) return { kind: "ids", ids: await deleteSelected(call, filter) };
  if (ids !== undefined) return { kind: "ids", ids: await deleteListed(call, [...new Set(ids)]) };
  throw errors.invalidRequest([{ at: "query.ids", message: "is required without filter" }]);
};

async function deleteSelected(call: DeleteCall, filter: string): Promise<readonly string[]> {
  const selection = await selectIndicators(call, filter, "query.filter");
  return write(call, async (writing) => {
    const ids = (await takeSelected(writing, selection)).map(({ id }) => id);
    await writing.records(indicators).remove(ids, { comment: call.query.comment });
    return ids;
  });
}

async function deleteListed(call: DeleteCall, ids: readonly string[]): Promise<readonly string[]> {
  const { comment } = call.query;
  await writeOwn(call, ids, (writing) => writing.records(indicators).remove(ids, { comment }));
  return ids;
}
