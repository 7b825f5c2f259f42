import { listMembers } from "../../domain/prevention-policy/members.ts";
import type { Handler } from "../../calls/handler.ts";

export const queryCombinedPreventionPolicyMembers: Handler<
  "queryCombinedPreventionPolicyMembers"
> = (call) => listMembers(call, "records");
