import { errors } from "../../errors.ts";
import type { Answer } from "../../answer.ts";
import type { Call } from "../../call.ts";
import type { RecordText } from "../../store/types.ts";
import { seenUsers } from "./seen-users.ts";
import { userNoun, type StoredUser } from "../../access/users.ts";
import { typeOf } from "../../access/viewer.ts";

/** Users by id in the order asked, each once; 404 that names the missing ones and carries the others. */
export async function getUsers(
  call: Pick<Call<"retrieveUsersGETV2">, "caller" | "context" | "now">,
  asked: readonly string[],
  text: (user: StoredUser) => RecordText,
  { external }: { readonly external: boolean },
): Promise<Answer> {
  const ids = [...new Set(asked)];
  const { viewer, records: seen } = await seenUsers(call);
  const known = await seen.whole(ids, call.now);
  const found = ids.flatMap((id) => {
    const user = known.get(id);
    return user && (external || typeOf(user, viewer) === "internal") ? [user] : [];
  });
  const records = found.map(text);
  if (found.length === ids.length) return { kind: "records", records };
  const uuids = new Set(found.map(({ uuid }) => uuid));
  throw errors.recordsNotFound(
    userNoun,
    ids.filter((id) => !uuids.has(id)),
    records,
  );
}
