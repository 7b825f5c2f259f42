import { where, type Predicate } from "@security-platform/fql";
import { platformRecords } from "../../access/effective-grants.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Call, Caller } from "../../calls/call.ts";
import { errors } from "../../foundation/errors.ts";
import { listRecords, type ListParameters } from "../../records/list.ts";
import type { RecordText } from "../../store/index.ts";
import type { Group, GroupKind } from "./group-kind.ts";

type ReadingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

/** The group in the format of responses. */
export const shownGroup = <Record extends Group>(
  { wire }: GroupKind<Record>,
  { id, cid, name, description = "", last_modified_timestamp }: Record,
): RecordText => JSON.stringify({ [wire.id]: id, cid, name, description, last_modified_timestamp });

/** The id and the members of a group. */
export const shownMembers = <Record extends Group>(
  { wire, members }: GroupKind<Record>,
  group: Record,
): RecordText => JSON.stringify({ [wire.id]: group.id, [wire.members]: members(group) });

/** The tenant's groups in the order of `ids`, without duplicates. Throws a 404 that names all unknown ids. */
export async function getGroups<Record extends Group>(
  { caller, context, now }: ReadingCall,
  kind: GroupKind<Record>,
  ids: readonly string[],
  show: (kind: GroupKind<Record>, group: Record) => RecordText,
): Promise<Answer> {
  const requested = [...new Set(ids)];
  const groupsById = await platformRecords(context.store)
    .records(kind.resource)
    .getComplete(requested, now);
  const groups = requested.flatMap((id) => {
    const group = groupsById.get(id);
    return group?.cid === caller.cid ? [group] : [];
  });
  const texts = groups.map((group) => show(kind, group));
  if (groups.length === requested.length) return { kind: "records", records: texts };
  const groupIds = new Set(groups.map(({ id }) => id));
  const missing = requested.filter((id) => !groupIds.has(id));
  throw errors.recordsNotFound(kind.noun, missing, texts);
}

/** A page of ids of the tenant's groups that match the predicate. */
export const listGroups = <Record extends Group>(
  call: ReadingCall & { readonly query: ListParameters },
  kind: GroupKind<Record>,
  condition: Predicate,
): Promise<Answer> =>
  listRecords(call, {
    resource: kind.resource,
    shape: "ids",
    records: "own",
    fields: kind.fields,
    where: where.all(where.equal("cid", call.caller.cid), condition),
    source: platformRecords(call.context.store).records(kind.resource),
  });
