import { sensitivityLabels } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesSensitivityLabelGetV2: Handler<"entities.sensitivity-label.get-v2"> = (call) =>
  getById(call, sensitivityLabels);
