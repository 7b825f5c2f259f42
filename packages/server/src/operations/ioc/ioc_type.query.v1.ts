import { indicatorTypes } from "../../domain/ioc/vocabulary.ts";
import type { Handler } from "../../handler.ts";
import { listConstants } from "../../records/constant-list.ts";

export const iocTypeQueryV1: Handler<"ioc_type.query.v1"> = async ({ query }) =>
  listConstants(indicatorTypes, { limit: query.limit, offset: Number(query.offset) });
