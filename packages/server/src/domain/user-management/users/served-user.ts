import { servedPart, type RecordText } from "../../../store/index.ts";
import { users, type StoredUser } from "../../../access/users.ts";

/** The record of a user without its hidden members. */
export const userText = (user: StoredUser): RecordText => JSON.stringify(servedPart(users, user));
