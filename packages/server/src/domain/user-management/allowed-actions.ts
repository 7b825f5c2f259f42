import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { permissionsOf } from "../../access/permissions.ts";
import type { Permissions } from "../../call.ts";
import type { ActionName } from "../../access/roles.ts";
import type { Context } from "../../context.ts";
import type { Caller } from "../../call.ts";
import type { Directory } from "../../store/types.ts";
import { platformRecords } from "../../access/effective-grants.ts";
import { permissionNotHeld, rolesNamed } from "../../access/tenant-roles.ts";
import { users, type StoredUser } from "../../access/users.ts";
import { manages } from "./viewer.ts";

type Schemas = components["schemas"];

interface Asking {
  readonly caller: Caller;
  readonly context: Pick<Context, "store">;
  readonly now: Date;
}

/** As much of a user as must be known to tell whose it is. */
type Known = Pick<StoredUser, "uuid" | "uid" | "cid" | "associated_cids">;

/** What all questions of a call are answered with. */
interface Knowledge extends Asking {
  /** By identifier and by folded address. */
  readonly users: ReadonlyMap<string, Known>;
  /** Whether a tenant is another one or above it. */
  readonly manages: (manager: string, cid: string) => Promise<boolean>;
}

type Question = Schemas["AllowedActionInput"];

/**
 * The answers to the questions of `userAllowedActionsV1`, without those that the user may not do at all.
 * What goes on in tenants that are not the caller's is not told.
 */
export async function allowedActions(
  { caller, context, now }: Asking,
  questions: readonly Question[],
): Promise<readonly Schemas["AllowedAction"][]> {
  const named = questions.flatMap(({ action, resource_ids = [] }) =>
    isAboutRoles(action) ? [] : resource_ids,
  );
  const knowledge: Knowledge = {
    caller,
    context,
    now,
    users: await usersNamed(context, [...new Set(named)], now),
    manages: askedOnce(context.store.directory),
  };
  const answers = await Promise.all(questions.map((question) => answerTo(knowledge, question)));
  return answers.filter((answer) => answer !== undefined);
}

async function answerTo(
  knowledge: Knowledge,
  { action, cid = knowledge.caller.cid, resource_ids = [], uuid }: Question,
): Promise<Schemas["AllowedAction"] | undefined> {
  const { caller, context, now } = knowledge;
  if (!(await knowledge.manages(caller.cid, cid))) return undefined;
  const held = await permissionsOf(context.store, uuid, cid, now);
  if (!held.actions.has(action)) return undefined;
  if (resource_ids.length === 0) return { action, cid, resource_ids: [], uuid };
  const possible = isAboutRoles(action)
    ? await rolesFor(knowledge, { action, cid, held }, resource_ids)
    : await usersFor(knowledge, { action, cid }, resource_ids);
  return possible.length === 0 ? undefined : { action, cid, resource_ids: possible, uuid };
}

const isAboutRoles = (action: ActionName): boolean =>
  action === "grant_role" || action === "revoke_role";

/** Those of `ids` that are roles of the tenant; to grant them, those that allow no more than is held. */
async function rolesFor(
  { context: { store }, now }: Knowledge,
  {
    action,
    cid,
    held,
  }: { readonly action: ActionName; readonly cid: string; readonly held: Permissions },
  ids: readonly string[],
): Promise<string[]> {
  const named = { cid, role_ids: ids };
  const { definition } = await rolesNamed(platformRecords(store), store.directory, named, now);
  return ids.filter((id) => {
    const role = definition(id);
    return (
      role !== undefined &&
      (action === "revoke_role" || permissionNotHeld(role, held) === undefined)
    );
  });
}

/** Those of `ids` that are users of the tenant's own; to create them, those that are not. */
async function usersFor(
  { users: known, manages: isManaged }: Knowledge,
  { action, cid }: { readonly action: ActionName; readonly cid: string },
  ids: readonly string[],
): Promise<string[]> {
  const isOwn = async (id: string): Promise<boolean> => {
    const user = known.get(foldCase(id));
    return user?.associated_cids.includes(cid) === true && (await isManaged(cid, user.cid));
  };
  const own = await Promise.all(ids.map(isOwn));
  // Who is there cannot be made again.
  const wanted = action !== "create_user";
  return ids.filter((_, index) => own[index] === wanted);
}

/** So many users are looked up at a time. */
const batchSize = 500;

async function usersNamed(
  { store }: Asking["context"],
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Known>> {
  const records = platformRecords(store).records(users);
  const known = new Map<string, Known>();
  const keep = ({ uuid, uid, cid, associated_cids }: Known) => {
    const user = { uuid, uid, cid, associated_cids };
    known.set(uuid, user).set(foldCase(uid), user);
  };
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const values = batch.filter((id) => id.includes("@")).map(foldCase);
    // oxlint-disable-next-line no-await-in-loop -- one batch in memory at a time
    for (const user of (await records.whole(batch, now)).values()) keep(user);
    if (values.length === 0) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    for await (const found of records.scanWhole({ kind: "any-of", field: "uid", values }, now)) {
      for (const user of found) keep(user);
    }
  }
  return known;
}

/** `manages`, with one look-up for each pair of tenants. */
function askedOnce(directory: Directory): Knowledge["manages"] {
  const answers = new Map<string, Promise<boolean>>();
  return (manager, cid) => {
    const pair = `${manager}/${cid}`;
    const known = answers.get(pair) ?? manages(directory, manager, cid);
    answers.set(pair, known);
    return known;
  };
}
