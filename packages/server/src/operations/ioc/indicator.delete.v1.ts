import { indicators } from "../../domain/ioc/indicators.ts";
import { writeOwn } from "../../domain/ioc/own-indicators.ts";
import { changeSelected } from "../../domain/ioc/selection.ts";
import { inheritedSelection } from "../../domain/ioc/inherited.ts";
import { errors } from "../../foundation/errors.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import type { Handler } from "../../calls/handler.ts";

type DeleteCall = Call<"indicator.delete.v1">;

/** Deletes the indicators that `filter` selects, in batches, or without it those of `ids`, all or none. */
export const indicatorDeleteV1: Handler<"indicator.delete.v1"> = async (call) => {
  const { filter, ids, from_parent } = call.query;
  if (from_parent === true) throw inheritedSelection("query.from_parent");
  if (filter !== undefined) return deleteSelected(call, filter);
  if (ids !== undefined) return { kind: "ids", ids: await deleteListed(call, [...new Set(ids)]) };
  throw errors.invalidRequest([{ at: "query.ids", message: "is required without filter" }]);
};

async function deleteSelected(call: DeleteCall, filter: string): Promise<Answer> {
  const { comment } = call.query;
  const { listed, affected } = await changeSelected(call, filter, {
    change: async (writing, selected) => {
      const ids = selected.map(({ id }) => id);
      await writing.records(indicators).remove(ids, { comment });
      return ids;
    },
  });
  return { kind: "ids", ids: listed, affected };
}

async function deleteListed(call: DeleteCall, ids: readonly string[]): Promise<readonly string[]> {
  const { comment } = call.query;
  await writeOwn(call, ids, (writing) => writing.records(indicators).remove(ids, { comment }));
  return ids;
}
