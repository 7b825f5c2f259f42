import { classifications } from "../../domain/data-protection/classifications/classifications.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesClassificationGetV2: Handler<"queries.classification.get.v2"> = (call) =>
  listIds(call, classifications);
