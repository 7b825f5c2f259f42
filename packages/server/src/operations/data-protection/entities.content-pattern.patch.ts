import { contentPatternRules } from "../../domain/data-protection/content-patterns.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesContentPatternPatch: Handler<"entities.content-pattern.patch"> = (call) =>
  changeRecords(call, contentPatternRules, [{ at: "body", id: call.query.id, changes: call.body }]);
