import type { Answer } from "../wire/answer.ts";
import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import type { AnyInput } from "../wire/encode.ts";
import type { Operation } from "./operation.ts";

/** Options of a bulk operation in batches. One idempotency key cannot stand for several requests. */
export interface BatchOptions<Input> extends Omit<CallOptions, "idempotencyKey"> {
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

/**
 * Adds the form `inBatches` to a bulk operation, whose code is loaded at the first use. `name`: the list in its
 * body, with at most `maximum` entries.
 */
export function inBatches<Bound>(
  operation: Operation<object>,
  name: string,
  maximum: number,
): Operation<Bound> {
  const { descriptor } = operation;
  const bind = (connection: Connection): Bound =>
    Object.assign(operation(connection), {
      inBatches: async function* (entries: Entries, options: BatchOptions<AnyInput> = {}) {
        const { sendBatches } = await import("./send-batches.ts");
        yield* sendBatches(connection, descriptor, { name, maximum }, entries, options);
      },
    }) as Bound;
  return Object.assign(bind, { descriptor });
}

export type Entries = Iterable<unknown> | AsyncIterable<unknown>;
