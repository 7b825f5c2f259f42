import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { permissionsOf } from "../../access/permissions.ts";
import { roleDefinition, type ActionName } from "../../catalogue/roles.ts";
import type { Context } from "../../context.ts";
import type { Caller } from "../../http/handler.ts";
import { platformRecords } from "./effective-grants.ts";
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
  const { actions } = await permissionsOf(store, uuid, cid, now);
  if (!actions.has(action)) return undefined;
  if (resource_ids.length === 0) return { action, cid, resource_ids: [], uuid };
  const possible = await resourcesFor(action, resource_ids, { context, now, cid });
  return possible.length === 0 ? undefined : { action, cid, resource_ids: possible, uuid };
}

/** Those of `ids` that the action can be done to in the tenant: roles there are, users of its own. */
async function resourcesFor(
  action: ActionName,
  ids: readonly string[],
  { context, now, cid }: { readonly context: Context; readonly now: Date; readonly cid: string },
): Promise<string[]> {
  if (action === "grant_role" || action === "revoke_role") {
    return ids.filter((id) => roleDefinition(id) !== undefined);
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
