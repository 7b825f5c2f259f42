import { where, type Predicate } from "@security-platform/fql";
import { platformRecords } from "../../access/effective-grants.ts";
import type { Answer } from "../../answer.ts";
import type { Call, Caller } from "../../call.ts";
import { errors } from "../../errors.ts";
import { listRecords, type ListParameters } from "../../records/list.ts";
import type { RecordText } from "../../store/types.ts";
import type { Group, GroupKind } from "./group-kind.ts";

type ReadingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

/** A group as its operations show it. */
export const shownGroup = <Record extends Group>(
  { wire }: GroupKind<Record>,
  { id, cid, name, description = "", last_modified_timestamp }: Record,
): RecordText => JSON.stringify({ [wire.id]: id, cid, name, description, last_modified_timestamp });

/** A group with its members and nothing else. */
export const shownMembers = <Record extends Group>(
  { wire, members }: GroupKind<Record>,
  group: Record,
): RecordText => JSON.stringify({ [wire.id]: group.id, [wire.members]: members(group) });

/** The tenant's groups in the order of `ids`, each once; 404 that names the missing ones. */
export async function getGroups<Record extends Group>(
  { caller, context, now }: ReadingCall,
  kind: GroupKind<Record>,
  ids: readonly string[],
  show: (kind: GroupKind<Record>, group: Record) => RecordText,
): Promise<Answer> {
  const requested = [...new Set(ids)];
  const found = await platformRecords(context.store)
    .records(kind.resource)
    .getComplete(requested, now);
  const groups = requested.flatMap((id) => {
    const group = found.get(id);
    return group?.cid === caller.cid ? [group] : [];
  });
  const texts = groups.map((group) => show(kind, group));
  if (groups.length === requested.length) return { kind: "records", records: texts };
  const known = new Set(groups.map(({ id }) => id));
  const missing = requested.filter((id) => !known.has(id));
  throw errors.recordsNotFound(kind.noun, missing, texts);
}

/** A page of the ids of the tenant's groups that meet the condition. */
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
