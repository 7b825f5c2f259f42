import { version1Fields } from "../../domain/ioa-exclusions/exclusions.ts";
import { listExclusions } from "../../domain/ioa-exclusions/list.ts";
import type { Handler } from "../../calls/handler.ts";

export const queryIOAExclusionsV1: Handler<"queryIOAExclusionsV1"> = (call) =>
  listExclusions(call, version1Fields);
