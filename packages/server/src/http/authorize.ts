import type { OperationId } from "@security-platform/spec";
import { permissionsOf } from "../access/permissions.ts";
import type { ActionName } from "../catalogue/roles.ts";
import { errors } from "../errors.ts";
import type { Call, Caller } from "./handler.ts";

/** Of a client that acts as a user: the user's roles allow what needs `scope`, or 403. */
export function requirePermission({ cid, user }: Caller, scope: string): void {
  if (user === undefined || user.scopes.has(scope)) return;
  throw errors.missingPermission(scope, user.uid, cid);
}

/** Something done to users, and the tenant in which it is done if not the token's. */
interface Done {
  readonly action: ActionName;
  readonly cid?: string;
}

const roleAction = ({
  action,
  cid,
}: {
  readonly action: "grant" | "revoke";
  readonly cid: string;
}): Done => ({ action: action === "grant" ? "grant_role" : "revoke_role", cid });

/** One scope covers all that is done to users; roles allow each for itself. */
const doneBy: { readonly [Id in OperationId]?: (call: Call<Id>) => Done } = {
  createUserV1: ({ body: { cid } }) => ({
    action: "create_user",
    ...(cid === undefined ? {} : { cid }),
  }),
  updateUserV1: () => ({ action: "update_user" }),
  deleteUserV1: () => ({ action: "delete_user" }),
  userRolesActionV1: ({ body }) => roleAction(body),
  userRolesActionV2: ({ body }) => roleAction(body),
  userActionV1: ({ body }) => ({ action: body.action.action_name }),
  CreateUser: () => ({ action: "create_user" }),
  UpdateUser: () => ({ action: "update_user" }),
  DeleteUser: () => ({ action: "delete_user" }),
  GrantUserRoleIds: () => ({ action: "grant_role" }),
  RevokeUserRoleIds: () => ({ action: "revoke_role" }),
};

/** Of a client that acts as a user: the user's roles where it is done allow the action, or 403. */
export async function requireAction(call: Call): Promise<void> {
  const { context, now, operation } = call;
  const caller: Caller | null = call.caller;
  if (caller?.user === undefined) return;
  const { user } = caller;
  const ask = doneBy[operation.id] as ((call: Call) => Done) | undefined;
  if (ask === undefined) return;
  const { action, cid = caller.cid } = ask(call);
  const { actions } =
    cid === caller.cid ? user : await permissionsOf(context.store, user.uuid, cid, now);
  if (!actions.has(action)) throw errors.missingPermission(action, user.uid, cid);
}
