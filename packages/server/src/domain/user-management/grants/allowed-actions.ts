import { foldCase, where } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { permissionsOf } from "../../../access/permissions.ts";
import type { Caller, Permissions } from "../../../calls/call.ts";
import type { ActionName } from "../../../access/roles.ts";
import type { Context } from "../../../calls/context.ts";
import type { Directory } from "../../../store/index.ts";
import { platformRecords } from "../../../access/effective-grants.ts";
import { permissionNotHeld, findRoles } from "../../../access/tenant-roles.ts";
import { users, type StoredUser } from "../../../access/users.ts";
import { manages } from "../tenants/managed-tenants.ts";

type Schemas = components["schemas"];

interface ReadingCall {
  readonly caller: Caller;
  readonly context: Pick<Context, "store">;
  readonly now: Date;
}

/** The members that determine the tenants of a user. */
type UserTenants = Pick<StoredUser, "uuid" | "uid" | "cid" | "associated_cids">;

/** Data shared by all questions of a call. */
interface SharedData extends ReadingCall {
  /** The users by uuid, and by uid in lower case. */
  readonly users: ReadonlyMap<string, UserTenants>;
  /** Whether `manager` is the tenant `cid` or above it. */
  readonly manages: (manager: string, cid: string) => Promise<boolean>;
}

type Question = Schemas["AllowedActionInput"];

/**
 * Which of the actions in the questions of `userAllowedActionsV1` are allowed. The result omits questions
 * about tenants that the caller does not manage.
 */
export async function allowedActions(
  { caller, context, now }: ReadingCall,
  questions: readonly Question[],
): Promise<readonly Schemas["AllowedAction"][]> {
  const userIds = questions.flatMap(({ action, resource_ids = [] }) =>
    isAboutRoles(action) ? [] : resource_ids,
  );
  const data: SharedData = {
    caller,
    context,
    now,
    users: await readUsers(context, [...new Set(userIds)], now),
    manages: cachedManages(context.store.directory),
  };
  const answers = await Promise.all(questions.map((question) => answerTo(data, question)));
  return answers.filter((answer) => answer !== undefined);
}

async function answerTo(
  data: SharedData,
  { action, cid = data.caller.cid, resource_ids = [], uuid }: Question,
): Promise<Schemas["AllowedAction"] | undefined> {
  const { caller, context, now } = data;
  if (!(await data.manages(caller.cid, cid))) return undefined;
  const permissions = await permissionsOf(context.store, uuid, cid, now);
  if (!permissions.actions.has(action)) return undefined;
  if (resource_ids.length === 0) return { action, cid, resource_ids: [], uuid };
  const possible = isAboutRoles(action)
    ? await rolesFor(data, { action, cid, permissions }, resource_ids)
    : await usersFor(data, { action, cid }, resource_ids);
  return possible.length === 0 ? undefined : { action, cid, resource_ids: possible, uuid };
}

const isAboutRoles = (action: ActionName): boolean =>
  action === "grant_role" || action === "revoke_role";

/**
 * The `ids` that are roles of the tenant; for granting roles, only roles all of whose permissions the
 * caller has.
 */
async function rolesFor(
  { context: { store }, now }: SharedData,
  {
    action,
    cid,
    permissions,
  }: { readonly action: ActionName; readonly cid: string; readonly permissions: Permissions },
  ids: readonly string[],
): Promise<string[]> {
  const query = { cid, role_ids: ids };
  const { definition } = await findRoles(platformRecords(store), store.directory, query, now);
  return ids.filter((id) => {
    const role = definition(id);
    return (
      role !== undefined &&
      (action === "revoke_role" || permissionNotHeld(role, permissions) === undefined)
    );
  });
}

/** The `ids` that are users of the tenant; for creating users, the `ids` that are not. */
async function usersFor(
  { users: usersById, manages: isManaged }: SharedData,
  { action, cid }: { readonly action: ActionName; readonly cid: string },
  ids: readonly string[],
): Promise<string[]> {
  const isOwn = async (id: string): Promise<boolean> => {
    const user = usersById.get(foldCase(id));
    return user?.associated_cids.includes(cid) === true && (await isManaged(cid, user.cid));
  };
  const own = await Promise.all(ids.map(isOwn));
  const exists = action !== "create_user";
  return ids.filter((_, index) => own[index] === exists);
}

/** Batch size for user lookups. */
const batchSize = 500;

async function readUsers(
  { store }: ReadingCall["context"],
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, UserTenants>> {
  const records = platformRecords(store).records(users);
  const byId = new Map<string, UserTenants>();
  const add = ({ uuid, uid, cid, associated_cids }: UserTenants) => {
    const user = { uuid, uid, cid, associated_cids };
    byId.set(uuid, user).set(foldCase(uid), user);
  };
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const values = batch.filter((id) => id.includes("@")).map(foldCase);
    for (const user of (await records.getComplete(batch, now)).values()) add(user);
    if (values.length === 0) continue;
    for await (const matches of records.scanComplete(where.anyOf("uid", values), now)) {
      for (const user of matches) add(user);
    }
  }
  return byId;
}

/** `manages` with a cache: one look-up per pair of tenants. */
function cachedManages(directory: Directory): SharedData["manages"] {
  const answers = new Map<string, Promise<boolean>>();
  return (manager, cid) => {
    const pair = `${manager}/${cid}`;
    const answer = answers.get(pair) ?? manages(directory, manager, cid);
    answers.set(pair, answer);
    return answer;
  };
}
