import type { components } from "@security-platform/spec";
import { defined } from "../../../records/defined.ts";
import type { RecordText } from "../../../store/index.ts";
import type { StoredUser } from "../../../access/users.ts";

/** A user in the format of the deprecated operations. */
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
    ...defined({ firstName: first_name, lastName: last_name }),
    status,
    uid,
    uuid,
  };
  return JSON.stringify(user);
}
