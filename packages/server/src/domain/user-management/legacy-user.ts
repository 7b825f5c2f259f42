import type { components } from "@security-platform/spec";
import type { RecordText } from "../../store/types.ts";
import type { StoredUser } from "../../access/users.ts";

/** A user as the deprecated operations show it. */
export function legacyText({
  cid,
  first_name,
  last_name,
  status,
  uid,
  uuid,
}: StoredUser): RecordText {
  const user: components["schemas"]["LegacyUser"] = {
    customer: cid,
    ...(first_name === undefined ? {} : { firstName: first_name }),
    ...(last_name === undefined ? {} : { lastName: last_name }),
    status,
    uid,
    uuid,
  };
  return JSON.stringify(user);
}
