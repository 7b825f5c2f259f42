import { where, type Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Context } from "../../calls/context.ts";
import { errors } from "../../foundation/errors.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Caller } from "../../calls/call.ts";
import { cursorQuestion } from "../../records/cursor-question.ts";
import { openCursor, sealCursor } from "../../records/cursor.ts";
import { CursorError } from "../../store/index.ts";
import { executions } from "./executions.ts";
import { executionsShowing } from "./matches.ts";
import { readIndicatorValue } from "./values.ts";

/** Maximum number of devices that are counted. */
export const lookupCeiling = 10_000;

export interface Lookup {
  readonly type: components["schemas"]["IndicatorLookupType"];
  readonly value: string;
}

interface LookupPage extends Lookup {
  readonly limit: string;
  readonly offset?: string;
}

interface LookupCall {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}

/**
 * Returns the value in canonical spelling and the predicate of the executions that show it; 400 for an
 * invalid value.
 */
export function readLookup({ type, value }: Lookup): { value: string; predicate: Predicate } {
  const read = readIndicatorValue(type, value);
  if ("problem" in read) {
    throw errors.invalidRequest([{ at: "query.value", message: read.problem }]);
  }
  return { value: read.value, predicate: executionsShowing(type, read.value) };
}

/** A page of the devices on which the value was seen. */
export const listDevices = (call: LookupCall, query: LookupPage): Promise<Answer> =>
  listDistinct(call, "device_id", readLookup(query).predicate, query);

/** A page of the processes on one device that showed the value. */
export const listProcesses = (
  call: LookupCall,
  query: LookupPage & { readonly device_id: string },
): Promise<Answer> => {
  const { predicate } = readLookup(query);
  const onDevice = where.all(predicate, where.equal("device_id", query.device_id));
  return listDistinct(call, "id", onDevice, query);
};

/**
 * A page of distinct values of `field` in the matching executions, ascending. Clients send the cursor of
 * the next page as `offset`, or a position; a page by position has a total.
 */
async function listDistinct(
  { caller, context, now }: LookupCall,
  field: "device_id" | "id",
  predicate: Predicate,
  query: LookupPage,
): Promise<Answer> {
  const secret = context.cursorSecret;
  const question = cursorQuestion(caller.cid, [executions.name, field, predicate]);
  const start = startOf(secret, question, query.offset);
  const limit = Number(query.limit);
  const records = context.store.records(executions, { cid: caller.cid });
  const values = await records.distinct(field, predicate, { now, limit: limit + 1, ...start });
  const ids = values.slice(0, limit);
  const { offset } = start;
  const counted =
    offset === undefined
      ? {}
      : { offset, total: await records.facets.cardinality(field, predicate, now) };
  const last = ids.at(-1);
  if (values.length <= limit || last === undefined) {
    return { kind: "ids", ids, page: { limit, ...counted } };
  }
  const after = sealCursor(secret, {
    question,
    now: now.getTime(),
    position: { snapshot: [], keys: [last], place: 0, row: 0 },
  });
  return { kind: "ids", ids, page: { limit, ...counted, after } };
}

/** Positions in digits. A cursor has other characters, too. */
const position = /^\d{1,15}$/;

/** Where the page starts: at a position, or after the last value of the previous page. */
function startOf(
  secret: Context["cursorSecret"],
  question: string,
  offset: string | undefined,
): { readonly offset?: number; readonly after?: string } {
  if (offset === undefined) return {};
  if (position.test(offset)) return { offset: Number(offset) };
  return { after: lastValue(secret, question, offset) };
}

/** The last value of the previous page. */
function lastValue(secret: string, question: string, offset: string): string {
  try {
    const cursor = openCursor(secret, offset);
    if (cursor.question === question) return String(cursor.position.keys[0]);
  } catch (error) {
    if (!(error instanceof CursorError)) throw error;
    throw invalidOffset(
      "not a cursor of this server, nor a position; send the value of X-Pagination-After, or digits",
    );
  }
  throw invalidOffset("this cursor belongs to another look-up; start again without offset");
}

const invalidOffset = (reason: string) => errors.invalidCursor(reason, "offset");
