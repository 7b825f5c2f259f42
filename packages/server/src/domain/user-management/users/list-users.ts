import {
  compareCodePoints,
  foldCase,
  where,
  type Fields,
  type Predicate,
} from "@security-platform/fql";
import type { Answer } from "../../../calls/answer.ts";
import type { Call, Caller } from "../../../calls/call.ts";
import { errors } from "../../../foundation/errors.ts";
import { defined } from "../../../records/defined.ts";
import { listRecords, type ListParameters } from "../../../records/list.ts";
import type { Position, RecordText } from "../../../store/index.ts";
import { visibleUsers } from "./visible-users.ts";
import { userFields, users, type User } from "../../../access/users.ts";

type ReadingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

interface SinglePage {
  /** Maximum number of users in a response without paging. Default: the maximum in the document. */
  readonly limit?: number;
  /** Number of users per read. */
  readonly batch?: number;
}

/** Selects users of one type; without a type, all users. */
export const ofType = (type: User["user_type"] | undefined): Predicate =>
  type === undefined ? where.everything : where.equal("user_type", type);

/** The field to sort by. A list has no order of its own, so it sorts by its first element. */
const sortField = (field: string): string =>
  field === "temporarily_assigned_cids" ? "first_temporary_cid" : field;

/** A page of the ids of the users that the tenant knows. */
export async function listUsers(
  { caller, context, now, query }: ReadingCall & { readonly query: ListParameters },
  type: User["user_type"] | undefined,
  fields: Fields = userFields,
): Promise<Answer> {
  return listRecords(
    { caller, context, now, query },
    {
      resource: users,
      shape: "ids",
      records: "own",
      fields,
      where: ofType(type),
      order: (keys) => keys.map(({ field, direction }) => ({ field: sortField(field), direction })),
      source: (await visibleUsers({ caller, context, now })).records,
    },
  );
}

/** The ids of all internal users, ordered by `uid`; 400 for more than `limit`. */
export const internalUserIds = (call: ReadingCall, page?: SinglePage): Promise<string[]> =>
  collectInternalUsers(call, "ids", (id) => id, page);

/** The uids of all internal users in text order; 400 for more than `limit`. */
export async function internalUserUids(call: ReadingCall, page?: SinglePage): Promise<string[]> {
  const uidOf = (text: RecordText) => (JSON.parse(text) as User).uid;
  const uids = await collectInternalUsers(call, "records", uidOf, page);
  return uids.toSorted(compareCodePoints);
}

async function collectInternalUsers(
  { caller, context, now }: ReadingCall,
  shape: "ids" | "records",
  read: (item: string) => string,
  { limit = 100_000, batch = 1_000 }: SinglePage = {},
): Promise<string[]> {
  const { records } = await visibleUsers({ caller, context, now });
  const predicate = ofType("internal");
  const count = await records.count(predicate, now);
  if (count > limit) {
    const message = `the tenant has ${count} users, more than the maximum of ${limit} without paging; use queryUserV1 with paging`;
    throw errors.invalidRequest([{ at: "", message }]);
  }
  const items: string[] = [];
  let after: Position | undefined;
  do {
    const page = await records.page({
      predicate,
      sort: [{ field: "uid", direction: "asc" }],
      limit: batch,
      shape,
      now,
      ...defined({ after }),
    });
    items.push(...page.items.map(read));
    after = page.next;
  } while (after !== undefined);
  return items;
}

/** The internal users with these e-mail addresses, by folded address. */
export async function usersByUid(
  { caller, context, now }: ReadingCall,
  uids: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const { records } = await visibleUsers({ caller, context, now });
  const { items } = await records.page({
    predicate: where.all(
      ofType("internal"),
      where.any(...uids.map((uid) => where.equalFolded("uid", uid))),
    ),
    sort: [],
    limit: uids.length,
    shape: "records",
    now,
  });
  const matches = items.map((text) => JSON.parse(text) as User);
  return new Map(matches.map((user) => [foldCase(user.uid), user]));
}
