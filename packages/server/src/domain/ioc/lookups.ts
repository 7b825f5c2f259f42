import { createHash } from "node:crypto";
import type { Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Context } from "../../context.ts";
import { errors } from "../../errors.ts";
import type { Answer } from "../../answer.ts";
import type { Caller } from "../../call.ts";
import { openCursor, sealCursor } from "../../store/cursor.ts";
import { CursorError } from "../../store/errors.ts";
import { executions } from "./executions.ts";
import { executionsShowing } from "./matches.ts";
import { readIndicatorValue } from "./values.ts";

/** No look-up tells more than this many devices or processes. */
export const lookupCeiling = 10_000;

export interface Lookup {
  readonly type: components["schemas"]["IndicatorLookupType"];
  readonly value: string;
}

interface LookupCall {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}

/** The value as executions have it; 400 for one that is none of its type. */
export function readLookup({ type, value }: Lookup): { value: string; predicate: Predicate } {
  const read = readIndicatorValue(type, value);
  if ("problem" in read) {
    throw errors.invalidRequest([{ at: "query.value", message: read.problem }]);
  }
  return { value: read.value, predicate: executionsShowing(type, read.value) };
}

/**
 * A page of the distinct values of `field` among the executions that match, ascending. The cursor of
 * the next page goes into `offset`.
 */
export async function listSeen(
  { caller, context, now }: LookupCall,
  field: "device_id" | "id",
  predicate: Predicate,
  query: { readonly limit: string; readonly offset?: string },
): Promise<Answer> {
  const secret = context.cursorSecret;
  const question = questionOf(caller.cid, field, predicate);
  const start =
    query.offset === undefined ? { seen: 0 } : readStart(secret, question, query.offset);
  const limit = Number(query.limit);
  const wanted = Math.min(limit, lookupCeiling - start.seen);
  const records = context.store.records(executions, { cid: caller.cid });
  const found = await records.distinct(field, predicate, {
    now,
    limit: wanted + 1,
    ...("after" in start ? { after: start.after } : {}),
  });
  const ids = found.slice(0, wanted);
  const last = ids.at(-1);
  const seen = start.seen + ids.length;
  if (found.length <= wanted || last === undefined || seen >= lookupCeiling) {
    return { kind: "ids", ids, page: { limit } };
  }
  const position = { snapshot: [], keys: [last], tenant: 0, row: seen };
  const cursor = sealCursor(secret, { question, now: now.getTime(), position });
  return { kind: "ids", ids, page: { limit, after: cursor } };
}

type Start = { readonly seen: number } | { readonly seen: number; readonly after: string };

function readStart(secret: string, question: string, offset: string): Start {
  try {
    const cursor = openCursor(secret, offset);
    if (cursor.question === question) {
      return { seen: cursor.position.row, after: String(cursor.position.keys[0]) };
    }
  } catch (error) {
    if (!(error instanceof CursorError)) throw error;
    throw refusal("not a cursor of this server; send the value of X-Pagination-After");
  }
  throw refusal("this cursor belongs to another look-up; start again without offset");
}

const refusal = (message: string) => errors.invalidRequest([{ at: "query.offset", message }]);

/** Names the look-up that a cursor continues. */
function questionOf(cid: string, field: string, predicate: Predicate): string {
  const text = JSON.stringify([cid, executions.name, field, predicate]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
