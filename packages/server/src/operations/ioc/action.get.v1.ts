import { actionRecord, actions } from "../../domain/ioc/vocabulary.ts";
import { errors } from "../../errors.ts";
import type { Handler } from "../../handler.ts";

/** The actions asked for, once each in the order asked; without `ids` all of them. */
export const actionGetV1: Handler<"action.get.v1"> = async ({ query }) => {
  const asked = [...new Set(query.ids ?? actions)];
  const known = actions.filter((action) => asked.includes(action));
  const unknown = asked.filter((id) => !known.some((action) => action === id));
  const records = known
    .toSorted((left, right) => asked.indexOf(left) - asked.indexOf(right))
    .map((action) => JSON.stringify(actionRecord(action)));
  if (unknown.length > 0) throw errors.recordsNotFound("action", unknown, records);
  return { kind: "records", records };
};
