import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import type { Answer } from "../wire/answer.ts";
import type { Descriptor, List } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { CallError } from "../wire/errors.ts";
import { withList } from "../wire/list.ts";
import { printInput } from "./fql.ts";

/**
 * Options of a bulk operation in batches. Each batch has a key of its own: the `idempotencyKey` with the index of
 * its first entry.
 */
export interface BatchOptions<Input> extends CallOptions {
  /** Entries in one request. Default: the documented maximum. */
  readonly size?: number | undefined;
  /** Maximum number of batches that are sent at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Skips the entries before this index: the `to` of the last batch that was handled. Default: 0. */
  readonly from?: number | undefined;
  /** The parameters of every request. */
  readonly input?: Input | undefined;
}

/** The result of the entries from the index `from` to before the index `to`. */
export type Batch<Data, Failure> = { readonly from: number; readonly to: number } & (
  | (Answer<Data> & { readonly error?: undefined })
  | { readonly data?: undefined; readonly error: Failure }
);

export type Entries = Iterable<unknown> | AsyncIterable<unknown>;

/** Sends entries in batches, as the list of the operation. */
export function sendBatches(
  connection: Connection,
  descriptor: Descriptor,
  entries: Entries,
  options: BatchOptions<AnyInput>,
): AsyncGenerator<Batch<unknown, CallError>, void, undefined> {
  const list = descriptor.list as List;
  const [, maximum] = list;
  const { size = maximum, concurrency = 1, from = 0, input = {}, ...callOptions } = options;
  const key = options.idempotencyKey;
  const keyed = (start: number): CallOptions =>
    key === undefined ? callOptions : { ...callOptions, idempotencyKey: `${key}-${start}` };
  const check = (option: string, value: number, least: number, most = Infinity): void => {
    if (value >= least && value <= most && value % 1 === 0) return;
    throw new RangeError(`${descriptor.id}: ${option} must be ${least} to ${most}, not ${value}`);
  };
  check("size", size, 1, maximum);
  check("concurrency", concurrency, 1);
  check("from", from, 0);
  return results(concurrency, groups(entries, size, from), async ({ start, group }) => {
    const place = { from: start, to: start + group.length };
    try {
      const request = () => printInput(descriptor, withList(list, input, group));
      return { ...place, ...(await connection.call(descriptor, request, keyed(start))) };
    } catch (error) {
      if (error instanceof CallError) return { ...place, error };
      throw error;
    }
  });
}

interface Group {
  readonly start: number;
  readonly group: readonly unknown[];
}

async function* groups(
  entries: Entries,
  size: number,
  from: number,
): AsyncGenerator<Group, void, undefined> {
  let group: unknown[] = [];
  let index = 0;
  for await (const entry of entries) {
    if (index++ < from) continue;
    group.push(entry);
    if (group.length < size) continue;
    yield { start: index - size, group };
    group = [];
  }
  if (group.length > 0) yield { start: index - group.length, group };
}

/** An item, or the error of what they come from, which ends them. */
type Step<Item> = { readonly item: Item } | { readonly error: unknown };

async function* stepsOf<Item>(
  items: AsyncIterable<Item>,
): AsyncGenerator<Step<Item>, void, undefined> {
  try {
    for await (const item of items) yield { item };
  } catch (error) {
    yield { error };
  }
}

/**
 * The results in the order of the input; an error of the input comes after the results of what was sent before it.
 * An early end does not wait for what was already sent.
 */
async function* results<Item, Result>(
  concurrency: number,
  items: AsyncIterable<Item>,
  send: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const underWay: Promise<Result>[] = [];
  for await (const step of stepsOf(items)) {
    const result = "item" in step ? send(step.item) : Promise.reject(step.error);
    // The error is thrown when its turn comes; until then it must not count as unhandled.
    result.catch(() => undefined);
    underWay.push(result);
    if (underWay.length >= concurrency) yield await (underWay.shift() as Promise<Result>);
  }
  while (underWay.length > 0) yield await (underWay.shift() as Promise<Result>);
}
