import { contentPatternRules } from "../../domain/data-protection/content-patterns.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesContentPatternCreate: Handler<"entities.content-pattern.create"> = (call) =>
  createRecords(call, contentPatternRules, [{ at: "body", input: call.body }]);
