import { classificationRules } from "../../domain/data-protection/classifications/write.ts";
import { usesOfClassifications } from "../../domain/data-protection/references.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesClassificationDeleteV2: Handler<"entities.classification.delete.v2"> = (
  call,
) => deleteRecords(call, classificationRules, call.query.ids, usesOfClassifications);
