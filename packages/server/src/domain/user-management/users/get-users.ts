import { errors } from "../../../foundation/errors.ts";
import type { Answer } from "../../../calls/answer.ts";
import type { Call } from "../../../calls/call.ts";
import type { RecordText } from "../../../store/index.ts";
import { visibleUsers } from "./visible-users.ts";
import { userNoun, type StoredUser } from "../../../access/users.ts";
import { typeOf } from "../../../access/viewer.ts";

/**
 * Users by id in the requested order, without duplicates. Throws a 404 that names the missing ids and
 * includes the other users.
 */
export async function getUsers(
  call: Pick<Call<"retrieveUsersGETV2">, "caller" | "context" | "now">,
  requestedIds: readonly string[],
  text: (user: StoredUser) => RecordText,
  { external }: { readonly external: boolean },
): Promise<Answer> {
  const ids = [...new Set(requestedIds)];
  const { viewer, records: visible } = await visibleUsers(call);
  const byId = await visible.getComplete(ids, call.now);
  const users = ids.flatMap((id) => {
    const user = byId.get(id);
    return user && (external || typeOf(user, viewer) === "internal") ? [user] : [];
  });
  const records = users.map(text);
  if (users.length === ids.length) return { kind: "records", records };
  const uuids = new Set(users.map(({ uuid }) => uuid));
  throw errors.recordsNotFound(
    userNoun,
    ids.filter((id) => !uuids.has(id)),
    records,
  );
}
