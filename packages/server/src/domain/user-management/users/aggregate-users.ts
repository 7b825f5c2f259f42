import type { Answer } from "../../../calls/answer.ts";
import type { Call } from "../../../calls/call.ts";
import { aggregateRecords } from "../../../records/aggregate.ts";
import { ofType } from "./list-users.ts";
import { visibleUsers } from "./visible-users.ts";
import { userFields, type User } from "../../../access/users.ts";

/** One result per specification, over the tenant's known users, of one type or of both. */
export async function aggregateUsers(
  call: Pick<Call<"aggregateUsersV1">, "caller" | "context" | "now" | "body">,
  type: User["user_type"] | undefined,
): Promise<Answer> {
  const { records } = await visibleUsers(call);
  const { body, now } = call;
  return aggregateRecords(body, { records, fields: userFields, base: ofType(type), now });
}
