import { sensitivityLabelRules } from "../../domain/data-protection/sensitivity-labels.ts";
import { usesOfSensitivityLabels } from "../../domain/data-protection/references.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesSensitivityLabelDeleteV2: Handler<"entities.sensitivity-label.delete-v2"> = (
  call,
) => deleteRecords(call, sensitivityLabelRules, call.query.ids, usesOfSensitivityLabels);
