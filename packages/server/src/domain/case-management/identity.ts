import type { components } from "@security-platform/spec";
import type { Caller } from "../../calls/call.ts";
import type { Context } from "../../calls/context.ts";
import { users, type StoredUser } from "../../access/users.ts";
import { viewerOf } from "../../access/viewer.ts";

type Schemas = components["schemas"];

/** The author of a change to a case or its configuration. */
export interface Identity {
  readonly user: Schemas["CaseUser"];
  readonly actor: Schemas["CaseActor"];
  /** E-mail address of the user or id of the API client, as used in filters on `created_by`. */
  readonly key: string;
}

interface IdentityCall {
  readonly caller: Caller;
  readonly context: Pick<Context, "store">;
  readonly now: Date;
}

/** The caller: the user that the client acts as, otherwise the client. */
export async function identifyCaller({ caller, context, now }: IdentityCall): Promise<Identity> {
  const { clientId, user, cid } = caller;
  if (user !== undefined) {
    const profile = await findUser({ cid, store: context.store, now }, user.uuid);
    const named = profile ?? { uuid: user.uuid, full_name: user.uid, email: user.uid };
    return { user: named, actor: { type: "user", user: named }, key: user.uid };
  }
  const storedClient = await context.store.directory.client(clientId);
  const client = { uuid: clientId, full_name: storedClient?.client.name ?? clientId, email: "" };
  return { user: client, actor: { type: "api_client", user: client }, key: clientId };
}

/** The server itself, for timers and imports. Its id is not that of a user or client. */
export const serverIdentity: Identity = {
  user: { uuid: "0".repeat(32), full_name: "Security Platform", email: "" },
  actor: { type: "system" },
  key: "server",
};

/** A user that the tenant can see, as cases show it; undefined for any other. */
export async function findUser(
  {
    cid,
    store,
    now,
  }: { readonly cid: string; readonly store: Context["store"]; readonly now: Date },
  uuid: string,
): Promise<Schemas["CaseUser"] | undefined> {
  const viewer = await viewerOf(store.directory, cid);
  const user = (await store.records(users, viewer).getComplete([uuid], now)).get(uuid);
  if (user === undefined) return undefined;
  return asCaseUser(user);
}

/** A user as cases show it. */
export const asCaseUser = ({ uuid, name, uid }: StoredUser): Schemas["CaseUser"] => ({
  uuid,
  full_name: name ?? uid,
  email: uid,
});
