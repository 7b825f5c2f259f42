import { platforms } from "../../domain/ioc/vocabulary.ts";
import type { Handler } from "../../handler.ts";
import { listConstants } from "../../records/constant-list.ts";

export const platformQueryV1: Handler<"platform.query.v1"> = async ({ query }) =>
  listConstants(platforms, { limit: query.limit, offset: Number(query.offset) });
