import { servedPart } from "../../store/whole.ts";
import type { RecordText } from "../../store/types.ts";
import { users, type StoredUser } from "../../access/users.ts";
import { typeOf, type Viewer } from "./viewer.ts";

/** The record of a user as its home tenant sees it. */
export const userText = (user: StoredUser): RecordText => JSON.stringify(servedPart(users, user));

/** The record as this viewer sees it: an external user has access since the first grant. */
export function seenText(user: StoredUser, viewer: Viewer): RecordText {
  if (typeOf(user, viewer) === "internal") return userText(user);
  const since = user.grants
    .filter(({ cid }) => cid === viewer.cid)
    .map(({ granted_at }) => granted_at)
    .toSorted();
  return userText({
    ...user,
    user_type: "external",
    access_granted_at: since[0] ?? user.access_granted_at,
  });
}
