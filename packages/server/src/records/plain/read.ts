import type { Predicate } from "@security-platform/fql";
import type { Answer } from "../../answer.ts";
import type { Call, Caller } from "../../call.ts";
import type { Context } from "../../context.ts";
import { getRecords } from "../get.ts";
import { listRecords, type ListParameters } from "../list.ts";
import type { Kind } from "./kind.ts";

/** A page of ids; `where` holds whatever the filter says. */
export const listIds = (
  call: Pick<Call, "caller" | "context" | "now"> & { readonly query: ListParameters },
  { resource, fields }: Pick<Kind, "fields" | "resource">,
  where?: Predicate,
): Promise<Answer> =>
  listRecords(call, {
    resource,
    shape: "ids",
    records: "own",
    ...(fields === undefined ? {} : { fields }),
    ...(where === undefined ? {} : { where }),
  });

interface GetCall {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
  readonly query: { readonly ids: readonly string[] };
}

/** An id that is given twice is answered once. */
export const getById = (
  call: GetCall,
  { resource, noun }: Pick<Kind, "noun" | "resource">,
): Promise<Answer> => getRecords(call, resource, noun, [...new Set(call.query.ids)]);
