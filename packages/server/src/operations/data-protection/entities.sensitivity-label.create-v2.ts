import { sensitivityLabelRules } from "../../domain/data-protection/sensitivity-labels.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesSensitivityLabelCreateV2: Handler<"entities.sensitivity-label.create-v2"> = (
  call,
) => createRecords(call, sensitivityLabelRules, [{ at: "body", input: call.body }]);
