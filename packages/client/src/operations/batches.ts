import type { Connection } from "../sending/connection.ts";
import type { AnyInput } from "../wire/encode.ts";
import type { Operation } from "./operation.ts";
import type { BatchOptions, Entries } from "./send-batches.ts";

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
      async *inBatches(entries: Entries, options: BatchOptions<AnyInput> = {}) {
        const { sendBatches } = await import("./send-batches.ts");
        yield* sendBatches(connection, descriptor, { name, maximum }, entries, options);
      },
    }) as Bound;
  return Object.assign(bind, { descriptor });
}
