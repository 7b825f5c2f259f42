import { foldCase } from "@security-platform/fql";
import { usersByUid } from "../../domain/user-management/list-users.ts";
import { userNoun } from "../../access/users.ts";
import { errors } from "../../errors.ts";
import type { Handler } from "../../handler.ts";

/** In the order asked; an address that is given twice, in whatever case, is answered once. */
export const retrieveUserUuid: Handler<"RetrieveUserUUID"> = async (call) => {
  const asked = new Map(call.query.uid.map((uid) => [foldCase(uid), uid]));
  const found = await usersByUid(call, [...asked.keys()]);
  const ids = [...asked.keys()].flatMap((uid) => found.get(uid)?.uuid ?? []);
  if (ids.length === asked.size) return { kind: "ids", ids };
  const missing = [...asked].filter(([folded]) => !found.has(folded)).map(([, uid]) => uid);
  throw errors.recordsNotFound(
    userNoun,
    missing,
    ids.map((id) => JSON.stringify(id)),
  );
};
