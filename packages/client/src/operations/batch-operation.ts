import { descriptorOf, type Source } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { isTooLong } from "../wire/list.ts";
import { printInput } from "./fql.ts";
import { withForms, type AnyMethod, type Operation } from "./operation.ts";
import type { BatchOptions, Entries } from "./send-batches.ts";

const load = () => import("./long-lists.ts");

/**
 * An operation that writes or deletes what a list names. Its further form `inBatches` takes any number of entries, and
 * so does the plain call of one that deletes. Their code is loaded at the first use.
 */
export const batchOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return withForms(
    descriptor,
    (connection): AnyMethod<object> =>
      Object.assign(
        ((input = {}, options) =>
          isTooLong(descriptor, input)
            ? load().then((lists) => lists.sendLongList(connection, descriptor, input, options))
            : connection.call(
                descriptor,
                () => printInput(descriptor, input),
                options,
              )) satisfies AnyMethod<object>,
        {
          async *inBatches(entries: Entries, options: BatchOptions<AnyInput> = {}) {
            yield* (await load()).sendBatches(connection, descriptor, entries, options);
          },
        },
      ),
    (input) =>
      isTooLong(descriptor, input)
        ? load().then(({ refuseList }) => refuseList(descriptor, input))
        : printInput(descriptor, input),
  );
};
