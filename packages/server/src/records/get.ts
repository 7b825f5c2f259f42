import { errors } from "../foundation/errors.ts";
import type { Answer } from "../calls/answer.ts";
import type { Caller } from "../calls/call.ts";
import type { Context } from "../calls/context.ts";
import type { ReadScope, Records, RecordText, Resource } from "../store/index.ts";

type RecordsAnswer = Extract<Answer, { kind: "records" }>;

/** Records in the order of `ids`. Throws a 404 that names the missing ones and includes the others. */
export function getRecords<Record extends object>(
  { caller, context, now }: { caller: Caller; context: Context; now: Date },
  resource: Resource<Record>,
  noun: string,
  ids: readonly string[],
  records: NonNullable<ReadScope["records"]> = "own",
): Promise<RecordsAnswer> {
  const scope = { cid: caller.cid, records };
  return answerFrom(context.store.records(resource, scope), noun, ids, now);
}

/** Like `getRecords`, for readers whose scope is more than their tenant. */
export async function answerFrom(
  records: Pick<Records, "get">,
  noun: string,
  ids: readonly string[],
  now: Date,
): Promise<RecordsAnswer> {
  return answerByIds(ids, await records.get(ids, now), noun);
}

/**
 * Records by id, each once, as `show` presents them; also those that a 404 includes. `show` keeps the order.
 */
export async function getShown<Record extends object>(
  { caller, context, now }: { caller: Caller; context: Context; now: Date },
  { resource, noun }: { readonly resource: Resource<Record>; readonly noun: string },
  ids: readonly string[],
  show: (texts: readonly RecordText[]) => Promise<readonly RecordText[]>,
): Promise<RecordsAnswer> {
  const requested = eachOnce(ids);
  const stored = await context.store.records(resource, { cid: caller.cid }).get(requested, now);
  const texts = await show([...stored.values()]);
  const shown = new Map([...stored.keys()].map((id, index) => [id, texts[index] as RecordText]));
  return answerByIds(requested, shown, noun);
}

/** The distinct ids. Most requests name only one id. */
export const eachOnce = (ids: readonly string[]): readonly string[] =>
  ids.length === 1 ? ids : [...new Set(ids)];

/** The values in the order of `ids`. Throws a 404 that names the missing ones. */
export function requireEach<Value>(
  byId: ReadonlyMap<string, Value>,
  ids: readonly string[],
  noun: string,
): readonly Value[] {
  const missing = ids.filter((id) => !byId.has(id));
  if (missing.length > 0) throw errors.recordsNotFound(noun, eachOnce(missing));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The found records in the order of `ids`. Throws 404 if one is missing. */
export function answerByIds(
  ids: readonly string[],
  textsById: ReadonlyMap<string, RecordText>,
  noun: string,
): RecordsAnswer {
  const texts: RecordText[] = [];
  for (const id of ids) {
    const text = textsById.get(id);
    if (text !== undefined) texts.push(text);
  }
  if (texts.length === ids.length) return { kind: "records", records: texts };
  const missing = ids.filter((id) => !textsById.has(id));
  throw errors.recordsNotFound(noun, [...new Set(missing)], texts);
}
