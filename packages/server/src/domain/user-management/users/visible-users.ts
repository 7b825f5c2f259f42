import type { Context } from "../../../calls/context.ts";
import type { Caller } from "../../../calls/call.ts";
import type { Records } from "../../../store/index.ts";
import { users, type StoredUser } from "../../../access/users.ts";
import { viewerOf, type Viewer } from "../../../access/viewer.ts";
import { removeExpiredGrants } from "./refresh-users.ts";

/** The users that one tenant can see. */
export interface VisibleUsers {
  readonly viewer: Viewer;
  readonly records: Records<StoredUser>;
}

/** The users known to the caller's tenant, without expired grants. */
export async function visibleUsers({
  caller,
  context,
  now,
}: {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}): Promise<VisibleUsers> {
  const { store } = context;
  await removeExpiredGrants(store, now);
  const viewer = await viewerOf(store.directory, caller.cid);
  return { viewer, records: store.records(users, viewer) };
}
