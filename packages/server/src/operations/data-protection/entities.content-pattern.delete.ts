import { contentPatternRules } from "../../domain/data-protection/content-patterns.ts";
import { usesOfContentPatterns } from "../../domain/data-protection/references.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesContentPatternDelete: Handler<"entities.content-pattern.delete"> = (call) =>
  deleteRecords(call, contentPatternRules, call.query.ids, usesOfContentPatterns);
