import { actionRecord, actions } from "../../domain/ioc/vocabulary.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";

/** The actions of `ids`, each once and in their order; without `ids` all actions. */
export const actionGetV1: Handler<"action.get.v1"> = async ({ query }) => {
  const ids: readonly string[] = [...new Set(query.ids ?? actions)];
  const records = ids.flatMap((id) => {
    const action = actions.find((name) => name === id);
    return action === undefined ? [] : [JSON.stringify(actionRecord(action))];
  });
  if (records.length === ids.length) return { kind: "records", records };
  const unknown = ids.filter((id) => !actions.some((action) => action === id));
  throw errors.recordsNotFound("action", unknown, records);
};
