import { classificationRules } from "../../domain/data-protection/classifications/write.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesClassificationPatchV2: Handler<"entities.classification.patch.v2"> = (
  call,
) => {
  const items = call.body.resources.map(({ id, ...changes }, index) => ({
    at: `body.resources[${index}]`,
    id,
    changes,
  }));
  return changeRecords(call, classificationRules, items);
};
