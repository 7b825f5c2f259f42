import { severities } from "../../domain/ioc/vocabulary.ts";
import type { Handler } from "../../handler.ts";
import { listConstants } from "../../records/constant-list.ts";

export const severityQueryV1: Handler<"severity.query.v1"> = async ({ query }) =>
  listConstants(severities, { limit: query.limit, offset: Number(query.offset) });
