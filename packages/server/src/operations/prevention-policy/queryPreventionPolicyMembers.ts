import { listMembers } from "../../domain/prevention-policy/members.ts";
import type { Handler } from "../../http/handler.ts";

export const queryPreventionPolicyMembers: Handler<"queryPreventionPolicyMembers"> = (call) =>
  listMembers(call, "ids");
