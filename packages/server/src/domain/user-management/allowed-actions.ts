import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { permissionsOf, type Permissions } from "../../access/permissions.ts";
import type { ActionName } from "../../catalogue/roles.ts";
import type { Context } from "../../context.ts";
import type { Caller } from "../../http/handler.ts";
import { platformRecords } from "./effective-grants.ts";
import { beyond, rolesNamed } from "./tenant-roles.ts";
import { users, type StoredUser } from "./users.ts";
import { manages } from "./viewer.ts";

type Schemas = components["schemas"];

interface Asking {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}

/**
 * The answer to one question of `userAllowedActionsV1`: undefined where the user may not do it at all.
 * What goes on in tenants that are not the caller's is not told.
 */
export async function allowedAction(
  { caller, context, now }: Asking,
  { action, cid = caller.cid, resource_ids = [], uuid }: Schemas["AllowedActionInput"],
): Promise<Schemas["AllowedAction"] | undefined> {
  const { store } = context;
  if (!(await manages(store.directory, caller.cid, cid))) return undefined;
  const held = await permissionsOf(store, uuid, cid, now);
  if (!held.actions.has(action)) return undefined;
  if (resource_ids.length === 0) return { action, cid, resource_ids: [], uuid };
  const possible = await resourcesFor(action, resource_ids, { context, now, cid, held });
  return possible.length === 0 ? undefined : { action, cid, resource_ids: possible, uuid };
}

/**
 * Those of `ids` that the action can be done to in the tenant: roles there are, to grant them those that
 * allow no more than one may oneself, and users of its own.
 */
async function resourcesFor(
  action: ActionName,
  ids: readonly string[],
  {
    context,
    now,
    cid,
    held,
  }: {
    readonly context: Context;
    readonly now: Date;
    readonly cid: string;
    readonly held: Permissions;
  },
): Promise<string[]> {
  if (action === "grant_role" || action === "revoke_role") {
    const { store } = context;
    const named = { cid, role_ids: ids };
    const { definition } = await rolesNamed(platformRecords(store), store.directory, named, now);
    return ids.filter((id) => {
      const role = definition(id);
      return role !== undefined && (action === "revoke_role" || beyond(role, held) === undefined);
    });
  }
  const own = new Set<string>();
  for (const user of await usersNamed(context, ids, now)) {
    // oxlint-disable-next-line no-await-in-loop -- one look-up a tenant
    if (!(await isOwn(context, user, cid))) continue;
    own.add(user.uuid).add(foldCase(user.uid));
  }
  // Who is there cannot be made again.
  const wanted = action !== "create_user";
  return ids.filter((id) => own.has(foldCase(id)) === wanted);
}

async function usersNamed(
  { store }: Context,
  ids: readonly string[],
  now: Date,
): Promise<readonly StoredUser[]> {
  const records = platformRecords(store).records(users);
  const byId = await records.whole(ids, now);
  const found = [...byId.values()];
  const values = ids.filter((id) => id.includes("@")).map(foldCase);
  if (values.length === 0) return found;
  for await (const batch of records.scanWhole({ kind: "any-of", field: "uid", values }, now)) {
    found.push(...batch);
  }
  return found;
}

const isOwn = async (
  { store }: Context,
  { cid: home, associated_cids }: StoredUser,
  cid: string,
): Promise<boolean> => associated_cids.includes(cid) && (await manages(store.directory, cid, home));
