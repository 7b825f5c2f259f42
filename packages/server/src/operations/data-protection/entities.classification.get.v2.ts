import { classifications } from "../../domain/data-protection/classifications/classifications.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesClassificationGetV2: Handler<"entities.classification.get.v2"> = (call) =>
  getById(call, classifications);
