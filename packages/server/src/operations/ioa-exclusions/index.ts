import { createIOAExclusionsV1 } from "./createIOAExclusionsV1.ts";
import { deleteIOAExclusionsV1 } from "./deleteIOAExclusionsV1.ts";
import { getIOAExclusionsV1 } from "./getIOAExclusionsV1.ts";
import { queryIOAExclusionsV1 } from "./queryIOAExclusionsV1.ts";
import { ssIoaExclusionsAggregatesV2 } from "./ss-ioa-exclusions.aggregates.v2.ts";
import { ssIoaExclusionsCreateV2 } from "./ss-ioa-exclusions.create.v2.ts";
import { ssIoaExclusionsDeleteV2 } from "./ss-ioa-exclusions.delete.v2.ts";
import { ssIoaExclusionsGetReportsV2 } from "./ss-ioa-exclusions.get-reports.v2.ts";
import { ssIoaExclusionsGetV2 } from "./ss-ioa-exclusions.get.v2.ts";
import { ssIoaExclusionsMatchedRuleV2 } from "./ss-ioa-exclusions.matched-rule.v2.ts";
import { ssIoaExclusionsNewRulesV2 } from "./ss-ioa-exclusions.new-rules.v2.ts";
import { ssIoaExclusionsSearchV2 } from "./ss-ioa-exclusions.search.v2.ts";
import { ssIoaExclusionsUpdateV2 } from "./ss-ioa-exclusions.update.v2.ts";
import { updateIOAExclusionsV1 } from "./updateIOAExclusionsV1.ts";

export const ioaExclusionsHandlers = {
  createIOAExclusionsV1,
  deleteIOAExclusionsV1,
  getIOAExclusionsV1,
  queryIOAExclusionsV1,
  "ss-ioa-exclusions.aggregates.v2": ssIoaExclusionsAggregatesV2,
  "ss-ioa-exclusions.create.v2": ssIoaExclusionsCreateV2,
  "ss-ioa-exclusions.delete.v2": ssIoaExclusionsDeleteV2,
  "ss-ioa-exclusions.get-reports.v2": ssIoaExclusionsGetReportsV2,
  "ss-ioa-exclusions.get.v2": ssIoaExclusionsGetV2,
  "ss-ioa-exclusions.matched-rule.v2": ssIoaExclusionsMatchedRuleV2,
  "ss-ioa-exclusions.new-rules.v2": ssIoaExclusionsNewRulesV2,
  "ss-ioa-exclusions.search.v2": ssIoaExclusionsSearchV2,
  "ss-ioa-exclusions.update.v2": ssIoaExclusionsUpdateV2,
  updateIOAExclusionsV1,
};
