import type { OperationId } from "@security-platform/spec";
import { permissionsOf, type Permissions } from "../access/permissions.ts";
import type { ActionName } from "../catalogue/roles.ts";
import { platformRecords } from "../domain/user-management/effective-grants.ts";
import { beyond, rolesNamed } from "../domain/user-management/tenant-roles.ts";
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
  /** Nobody can give away what one may not do oneself. */
  readonly granted?: readonly string[];
}

const roleAction = ({
  action,
  cid,
  role_ids,
}: {
  readonly action: "grant" | "revoke";
  readonly cid: string;
  readonly role_ids: readonly string[];
}): Done =>
  action === "grant"
    ? { action: "grant_role", cid, granted: role_ids }
    : { action: "revoke_role", cid };

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
  GrantUserRoleIds: ({ body }) => ({ action: "grant_role", granted: body.role_ids }),
  RevokeUserRoleIds: () => ({ action: "revoke_role" }),
};

type Asked = readonly (string | undefined)[];

const inQuery = ({ query }: { readonly query: { readonly cid?: string | undefined } }): Asked => [
  query.cid,
];

/** Tenants that a call reads about without a token of theirs. */
const askedAbout: { readonly [Id in OperationId]?: (call: Call<Id>) => Asked } = {
  combinedUserRolesV1: inQuery,
  CombinedUserRolesV2: inQuery,
  CombinedUserRolesV3: inQuery,
  queriesRolesV1: inQuery,
  entitiesRolesV1: inQuery,
  entitiesRolesGETV2: inQuery,
  userAllowedActionsV1: ({ body }) => body.allowed_actions.map(({ cid }) => cid),
};

/**
 * Of a client that acts as a user: the user's roles where something is done allow the action, and those
 * in a tenant that is read about the scope, or 403.
 */
export async function requireAction(call: Call): Promise<void> {
  const caller: Caller | null = call.caller;
  if (caller?.user === undefined) return;
  const { context, now, operation } = call;
  const { user } = caller;
  const allowedIn = async (cid: string): Promise<Permissions> =>
    cid === caller.cid ? user : permissionsOf(context.store, user.uuid, cid, now);
  const done = doneBy[operation.id] as ((call: Call) => Done) | undefined;
  if (done !== undefined) {
    const { action, cid = caller.cid, granted = [] } = done(call);
    const held = await allowedIn(cid);
    if (!held.actions.has(action)) throw errors.missingPermission(action, user.uid, cid);
    const named = { cid, role_ids: granted };
    const { store } = context;
    const { definition } = await rolesNamed(platformRecords(store), store.directory, named, now);
    for (const id of granted) {
      const role = definition(id);
      const missing = role && beyond(role, held);
      if (missing === undefined) continue;
      throw errors.missingPermission(`${missing}, which ${id} does`, user.uid, cid);
    }
  }
  const asked = askedAbout[operation.id] as ((call: Call) => Asked) | undefined;
  if (asked === undefined || operation.scope === null) return;
  for (const cid of new Set(asked(call))) {
    // oxlint-disable-next-line no-await-in-loop -- one tenant, but for a list of questions
    const { scopes } = await allowedIn(cid ?? caller.cid);
    if (!scopes.has(operation.scope)) {
      throw errors.missingPermission(operation.scope, user.uid, cid ?? caller.cid);
    }
  }
}
