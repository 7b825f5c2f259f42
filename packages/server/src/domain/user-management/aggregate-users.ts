import type { Predicate } from "@security-platform/fql";
import type { Answer } from "../../answer.ts";
import type { Call } from "../../call.ts";
import { aggregateRecords } from "../../records/aggregate.ts";
import { seenUsers } from "./seen-users.ts";
import { userFields, type User } from "../../access/users.ts";

/** One result for each specification, over the users that the tenant knows, or those of one type. */
export async function aggregateUsers(
  call: Pick<Call<"aggregateUsersV1">, "caller" | "context" | "now" | "body">,
  type: User["user_type"] | undefined,
): Promise<Answer> {
  const { body, now } = call;
  const base: Predicate =
    type === undefined
      ? { kind: "everything" }
      : { kind: "equal", field: "user_type", value: type, fold: false };
  const { records } = await seenUsers(call);
  return aggregateRecords(body, { records, fields: userFields, base, now });
}
