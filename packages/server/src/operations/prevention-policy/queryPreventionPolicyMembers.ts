import { listMembers } from "../../domain/prevention-policy/members.ts";
import type { Handler } from "../../calls/handler.ts";

export const queryPreventionPolicyMembers: Handler<"queryPreventionPolicyMembers"> = (call) =>
  listMembers(call, "ids");
