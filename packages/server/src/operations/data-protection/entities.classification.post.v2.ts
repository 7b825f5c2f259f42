import { classificationRules } from "../../domain/data-protection/classifications/write.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesClassificationPostV2: Handler<"entities.classification.post.v2"> = (call) => {
  const items = call.body.resources.map((input, index) => ({
    at: `body.resources[${index}]`,
    input,
  }));
  return createRecords(call, classificationRules, items);
};
