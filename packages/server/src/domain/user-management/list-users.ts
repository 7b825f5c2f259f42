import { foldCase, type Predicate } from "@security-platform/fql";
import type { Answer } from "../../answer.ts";
import type { Call } from "../../call.ts";
import { listRecords, type ListParameters } from "../../records/list.ts";
import type { RecordText } from "../../store/types.ts";
import { seenUsers } from "./seen-users.ts";
import { userFields, users, type User } from "../../access/users.ts";

type Asking = Pick<Call<"queryUserV2">, "caller" | "context" | "now">;

/** More users than an answer ever has. */
const everyUser = 100_000;

/** The users of one type, or of both. */
export const ofType = (type: User["user_type"] | undefined): Predicate =>
  type === undefined
    ? { kind: "everything" }
    : { kind: "equal", field: "user_type", value: type, fold: false };

/** A list has no order of its own: it sorts by its first element. */
const sortField = (field: string): string =>
  field === "temporarily_assigned_cids" ? "first_temporary_cid" : field;

/** A page of the ids of the users that the tenant knows. */
export async function listUsers(
  { caller, context, now, query }: Asking & { readonly query: ListParameters },
  type: User["user_type"] | undefined,
): Promise<Answer> {
  return listRecords(
    { caller, context, now, query },
    {
      resource: users,
      shape: "ids",
      records: "own",
      fields: userFields,
      where: ofType(type),
      order: (keys) => keys.map(({ field, direction }) => ({ field: sortField(field), direction })),
      source: (await seenUsers({ caller, context, now })).records,
    },
  );
}

/** Every internal user of the tenant in the order of `uid`, as ids or as records. */
export async function everyInternalUser(
  { caller, context, now }: Asking,
  shape: "ids" | "records",
): Promise<readonly RecordText[]> {
  const { records } = await seenUsers({ caller, context, now });
  const { items } = await records.page({
    predicate: ofType("internal"),
    sort: [{ field: "uid", direction: "asc" }],
    limit: everyUser,
    shape,
    now,
  });
  return items;
}

/** The internal users with these addresses, by folded address. */
export async function usersByUid(
  { caller, context, now }: Asking,
  uids: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const { records } = await seenUsers({ caller, context, now });
  const named = uids.map((uid): Predicate => ({
    kind: "equal",
    field: "uid",
    value: foldCase(uid),
    fold: true,
  }));
  const { items } = await records.page({
    predicate: { kind: "and", operands: [ofType("internal"), { kind: "or", operands: named }] },
    sort: [],
    limit: uids.length,
    shape: "records",
    now,
  });
  const found = items.map((text) => JSON.parse(text) as User);
  return new Map(found.map((user) => [foldCase(user.uid), user]));
}
