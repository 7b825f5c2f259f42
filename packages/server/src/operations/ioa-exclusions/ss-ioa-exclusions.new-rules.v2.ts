import { hostGroupsOf } from "../../domain/ioa-exclusions/host-groups-of.ts";
import { proposedRule } from "../../domain/ioa-exclusions/proposal/proposed-rule.ts";
import type { Handler } from "../../calls/handler.ts";

export const ssIoaExclusionsNewRulesV2: Handler<"ss-ioa-exclusions.new-rules.v2"> = async ({
  body,
  caller,
  context,
  now,
}) => {
  const groups = await hostGroupsOf(context.store, caller.cid, body.aid, now);
  return { kind: "object", object: proposedRule(body, groups ?? []) };
};
