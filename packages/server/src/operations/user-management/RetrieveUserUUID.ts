import { foldCase } from "@security-platform/fql";
import { usersByUid } from "../../domain/user-management/users/list-users.ts";
import { userNoun } from "../../access/users.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";

/** Returns uuids in the order of the request, one for each uid, ignoring case. */
export const retrieveUserUuid: Handler<"RetrieveUserUUID"> = async (call) => {
  const uids = new Map(call.query.uid.map((uid) => [foldCase(uid), uid]));
  const users = await usersByUid(call, [...uids.keys()]);
  const ids = [...uids.keys()].flatMap((uid) => users.get(uid)?.uuid ?? []);
  if (ids.length === uids.size) return { kind: "ids", ids };
  const missing = [...uids].filter(([folded]) => !users.has(folded)).map(([, uid]) => uid);
  throw errors.recordsNotFound(
    userNoun,
    missing,
    ids.map((id) => JSON.stringify(id)),
  );
};
