import { allowedActions } from "../../domain/user-management/allowed-actions.ts";
import type { Handler } from "../../handler.ts";

/** Of the asked actions those that the roles of their user allow, in the order asked. */
export const userAllowedActionsV1: Handler<"userAllowedActionsV1"> = async (call) => {
  const answers = await allowedActions(call, call.body.allowed_actions);
  return { kind: "records", records: answers.map((answer) => JSON.stringify(answer)) };
};
