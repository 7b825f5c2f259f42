import { sensitivityLabels } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesSensitivityLabelGetV2: Handler<"queries.sensitivity-label.get-v2"> = (call) =>
  listIds(call, sensitivityLabels);
