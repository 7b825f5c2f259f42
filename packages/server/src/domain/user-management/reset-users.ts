import type { components } from "@security-platform/spec";
import { errors } from "../../errors.ts";
import type { Call, Caller } from "../../call.ts";
import { auditEntry } from "../../records/audit.ts";
import { platformCid, type Transaction } from "../../store/types.ts";
import { settleWithin } from "./refresh-users.ts";
import { enqueueMails } from "./outbox.ts";
import { activating, resetting, type Mailed } from "./password-mails.ts";
import { userNoun, users, type StoredUser } from "../../access/users.ts";
import { typeOf, viewerOf } from "./viewer.ts";

type ResetName = components["schemas"]["UserAction"]["action_name"];

type ResetCall = Pick<Call<"userActionV1">, "operation" | "context" | "now" | "traceId"> & {
  readonly caller: Caller;
};

/** Resets all of these users or none; gives their number. 404 with an entry for each unknown one. */
export async function resetUsers(
  call: ResetCall,
  name: ResetName,
  ids: readonly string[],
): Promise<number> {
  const { context, now } = call;
  return context.store.write(platformCid, async (transaction) => {
    const taken = await takeOwnUsers(call, transaction, ids);
    const reset = taken.map((user) => after[name]({ ...user, updated_at: now.toISOString() }, now));
    await transaction.records(users).replace(
      reset.map(({ user }) => user),
      now,
    );
    await enqueueMails(
      transaction,
      reset.flatMap(({ mails }) => mails),
      now,
    );
    await transaction.audit({ ...auditEntry(call, undefined, ids), cid: call.caller.cid });
    return reset.length;
  });
}

const after: { readonly [Name in ResetName]: (user: StoredUser, now: Date) => Mailed } = {
  reset_2fa: (user) => ({ user: { ...user, factors: [] }, mails: [] }),
  // Who never had a password gets the mail again that asked for one.
  reset_password: ({ password, ...user }, now) =>
    password === undefined && user.status === "inactive"
      ? activating(user, now)
      : resetting(user, now),
};

/** Users of the tenant and those below it: 404 for unknown and external ones, 403 for a parent's. */
async function takeOwnUsers(
  { caller, context, now }: ResetCall,
  transaction: Transaction,
  ids: readonly string[],
): Promise<readonly StoredUser[]> {
  await settleWithin(transaction, now);
  const { directory } = context.store;
  const viewer = await viewerOf(directory, caller.cid);
  const managed = await directory.descendants(caller.cid);
  const own = new Set([caller.cid, ...managed.map(({ cid }) => cid)]);
  const stored = await transaction.records(users).take(ids);
  const known = ids.flatMap((id) => {
    const user = stored.get(id);
    const isKnown = user?.associated_cids.includes(caller.cid) === true;
    return isKnown && typeOf(user, viewer) === "internal" ? [user] : [];
  });
  if (known.length < ids.length) {
    const uuids = new Set(known.map(({ uuid }) => uuid));
    throw errors.recordsNotFound(
      userNoun,
      ids.filter((id) => !uuids.has(id)),
    );
  }
  const foreign = known.filter(({ cid }) => !own.has(cid));
  if (foreign.length === 0) return known;
  throw errors.readOnly(
    foreign.map(({ uuid, cid }) => ({
      at: "",
      id: uuid,
      message: `user ${uuid} belongs to the tenant ${cid}; only that one and those above it can change the user`,
    })),
  );
}
