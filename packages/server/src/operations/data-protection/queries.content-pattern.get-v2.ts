import { contentPatterns } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesContentPatternGetV2: Handler<"queries.content-pattern.get-v2"> = (call) =>
  listIds(call, contentPatterns);
