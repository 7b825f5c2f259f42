import { servedPart } from "../../store/complete-record.ts";
import type { RecordText } from "../../store/types.ts";
import { users, type StoredUser } from "../../access/users.ts";

/** The record of a user without its hidden members. */
export const userText = (user: StoredUser): RecordText => JSON.stringify(servedPart(users, user));
