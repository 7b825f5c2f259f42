/**
 * Handlers for the operations of plain kinds. A kind's description contains all its differences from other
 * kinds.
 */
import type { Fields, Predicate } from "@security-platform/fql";
import type { Answer } from "../../calls/answer.ts";
import type { Call, Caller } from "../../calls/call.ts";
import type { Context } from "../../calls/context.ts";
import { aggregateRecords } from "../aggregate.ts";
import { eachOnce, getRecords } from "../get.ts";
import { listRecords, type ListParameters } from "../list.ts";
import type { Resource } from "../../store/index.ts";
import type { WritingCall } from "../write.ts";
import type { PlainKind, PlainRecord, Use } from "./kind.ts";
import { changeRecords, createRecords, deleteRecords } from "./write.ts";

export interface ReadingCall {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}

/** The parts of a kind that reads need. Its records need not be plain. */
interface Listed {
  readonly resource: Resource;
  readonly fields?: Fields;
  readonly noun: string;
}

/** The list member of a body with several records. */
export type ListBody<Member extends string, Item> = {
  readonly body: { readonly [Name in Member]: readonly Item[] };
};

/**
 * A page of ids. `condition` restricts the list in addition to its filter, based on the query's parameters.
 */
export const queryIds =
  <Query extends ListParameters = ListParameters>(
    { resource, fields }: Listed,
    condition?: (query: Query) => Predicate | undefined,
  ) =>
  (call: Pick<Call, "caller" | "context" | "now"> & { readonly query: Query }): Promise<Answer> => {
    const where = condition?.(call.query);
    return listRecords(call, {
      resource,
      shape: "ids",
      records: "own",
      ...(fields === undefined ? {} : { fields }),
      ...(where === undefined ? {} : { where }),
    });
  };

/** Records by id, each once. Throws a 404 that names the missing ones and includes the others. */
export const getByIds =
  ({ resource, noun }: Pick<Listed, "noun" | "resource">) =>
  (call: ReadingCall & { readonly query: { readonly ids: readonly string[] } }): Promise<Answer> =>
    getRecords(call, resource, noun, eachOnce(call.query.ids));

/** One result for each specification. `base` restricts the records. */
export const aggregateKind =
  ({ resource, fields = resource.fields }: Listed, base?: Predicate) =>
  ({
    body,
    caller,
    context,
    now,
  }: ReadingCall & {
    readonly body: Parameters<typeof aggregateRecords>[0];
  }): Promise<Answer> => {
    const records = context.store.records(resource, { cid: caller.cid });
    return aggregateRecords(body, {
      records,
      fields,
      now,
      ...(base === undefined ? {} : { base }),
    });
  };

/** The body is one record. */
export const createOne =
  <Record extends PlainRecord, Input, Changes>(kind: PlainKind<Record, Input, Changes>) =>
  async (call: WritingCall & { readonly body: Input }): Promise<Answer> => ({
    kind: "records",
    records: await createRecords(call, kind, [{ at: "body", input: call.body }]),
  });

/** The body has a list of records. All are created or none. */
export const createAll =
  <Record extends PlainRecord, Input, Changes, Member extends string>(
    kind: PlainKind<Record, Input, Changes>,
    member: Member,
  ) =>
  async (call: WritingCall & ListBody<Member, Input>): Promise<Answer> => {
    const items = call.body[member].map((input, index) => ({
      at: `body.${member}[${index}]`,
      input,
    }));
    return { kind: "records", records: await createRecords(call, kind, items) };
  };

/** The id is in the query, and the changes are in the body. */
export const changeOne =
  <Record extends PlainRecord, Input, Changes>(kind: PlainKind<Record, Input, Changes>) =>
  async (
    call: WritingCall & { readonly query: { readonly id: string }; readonly body: Changes },
  ): Promise<Answer> => ({
    kind: "records",
    records: await changeRecords(call, kind, [
      { at: "body", id: call.query.id, changes: call.body },
    ]),
  });

/** The body has a list of changes, each with its id. All are made or none. */
export const changeAll =
  <Record extends PlainRecord, Input, Changes extends object, Member extends string>(
    kind: PlainKind<Record, Input, Changes>,
    member: Member,
  ) =>
  async (
    call: WritingCall & ListBody<Member, Changes & { readonly id: string }>,
  ): Promise<Answer> => {
    const items = call.body[member].map(({ id, ...changes }, index) => ({
      at: `body.${member}[${index}]`,
      id,
      changes: changes as unknown as Changes,
    }));
    return { kind: "records", records: await changeRecords(call, kind, items) };
  };

/** All records are deleted or none. 409 for records that `uses` finds in use. */
export const deleteByIds =
  <Record extends PlainRecord, Input, Changes>(
    kind: PlainKind<Record, Input, Changes>,
    uses: readonly Use<Record>[] = [],
  ) =>
  async (
    call: WritingCall & { readonly query: { readonly ids: readonly string[] } },
  ): Promise<Answer> => ({
    kind: "records",
    records: await deleteRecords(call, kind, call.query.ids, uses),
  });
