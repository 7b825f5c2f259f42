import { matchedExclusions } from "../../domain/ioa-exclusions/matching/matched.ts";
import type { Handler } from "../../calls/handler.ts";

export const ssIoaExclusionsMatchedRuleV2: Handler<"ss-ioa-exclusions.matched-rule.v2"> = async ({
  body,
  caller,
  context,
  now,
}) => ({
  kind: "records",
  records: await matchedExclusions(context.store, { cid: caller.cid, now }, body),
});
