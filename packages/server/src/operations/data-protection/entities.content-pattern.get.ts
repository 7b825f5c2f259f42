import { contentPatterns } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesContentPatternGet: Handler<"entities.content-pattern.get"> = (call) =>
  getById(call, contentPatterns);
