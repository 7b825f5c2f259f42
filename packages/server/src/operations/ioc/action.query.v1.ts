import { actions } from "../../domain/ioc/vocabulary.ts";
import type { Handler } from "../../handler.ts";
import { listConstants } from "../../records/constant-list.ts";

export const actionQueryV1: Handler<"action.query.v1"> = async ({ query }) =>
  listConstants(actions, { limit: query.limit, offset: Number(query.offset) });
