import { compareCodePoints } from "@security-platform/fql";
import { grantsIn } from "../../domain/user-management/grants/list-grants.ts";
import type { Handler } from "../../calls/handler.ts";

export const getUserRoleIds: Handler<"GetUserRoleIds"> = async (call) => {
  const { grants } = await grantsIn(call, call.query.user_uuid, {
    cid: call.caller.cid,
    external: false,
  });
  const roles = new Set(grants.map(({ role_id }) => role_id));
  return { kind: "envelope", resources: [...roles].toSorted(compareCodePoints) };
};
