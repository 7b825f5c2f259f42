import type { Clock } from "../foundation/clock.ts";
import { errors } from "../foundation/errors.ts";
import { PartlyDoneError } from "../foundation/partly-done-error.ts";
import { StalePositionError, type Store } from "../store/index.ts";
import { write, type Writing, type WritingCall } from "./write.ts";

/** Maximum number of items that an answer lists. The others are counted. */
const mostListed = 10_000;
/** Number of records in one transaction. On SQLite, all tenants wait for it. */
const recordsAtOnce = 500;

/** A call that may run for minutes. */
export interface BatchedCall extends WritingCall {
  readonly context: { readonly store: Store; readonly clock: Clock };
}

export interface Batched<Item> {
  /** The first 10,000. */
  readonly listed: readonly Item[];
  readonly affected: number;
}

/**
 * Changes any number of records in batches, each in a transaction of its own, so that other writes run in between and
 * memory stays constant. An error after the first batch is a `PartlyDoneError`. `noun`: for its message.
 *
 * The last transaction takes the idempotency key of the request. A request that was cut off before can be sent again,
 * with the same key, and goes on.
 */
export async function writeInBatches<Item>(
  call: BatchedCall,
  ids: AsyncIterable<readonly string[]>,
  noun: string,
  work: (writing: Writing, ids: readonly string[]) => Promise<readonly Item[]>,
): Promise<Batched<Item>> {
  const listed: Item[] = [];
  let affected = 0;
  try {
    for await (const { batch, isLast } of withLast(inBatches(ids))) {
      const keyed = isLast ? keyedNow(call) : null;
      const items = await write({ ...call, keyed }, (writing) => work(writing, batch));
      affected += items.length;
      listed.push(...items.slice(0, mostListed - listed.length));
    }
  } catch (thrown) {
    const error =
      thrown instanceof StalePositionError
        ? errors.unavailable("the search for the selected records took too long", 1)
        : thrown;
    if (affected === 0) throw error;
    throw new PartlyDoneError(
      `${affected} ${noun}s were changed before the following error, and stay changed; ` +
        "the same request, sent again, goes on with the others",
      { cause: error },
    );
  }
  return { listed, affected };
}

/** The key of the request, dated now: other processes expect the response within seconds from this time. */
const keyedNow = ({ keyed, context }: BatchedCall): WritingCall["keyed"] =>
  keyed === null ? null : { ...keyed, startedAt: context.clock.now() };

export async function* inBatches(
  lists: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly string[]> {
  for await (const list of lists) {
    for (let from = 0; from < list.length; from += recordsAtOnce) {
      yield list.slice(from, from + recordsAtOnce);
    }
  }
}

async function* withLast(
  batches: AsyncIterable<readonly string[]>,
): AsyncGenerator<{ readonly batch: readonly string[]; readonly isLast: boolean }> {
  let batch: readonly string[] | null = null;
  for await (const next of batches) {
    if (batch !== null) yield { batch, isLast: false };
    batch = next;
  }
  if (batch !== null) yield { batch, isLast: true };
}
