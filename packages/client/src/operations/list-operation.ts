import type { ListOptions } from "../sending/call-options.ts";
import { descriptorOf, type Source } from "../wire/descriptor.ts";
import { printParameters } from "./fql.ts";
import { listCall } from "./list-call.ts";
import { withForms, type AnyMethod, type Operation } from "./operation.ts";
import { pager } from "./paging.ts";

/** An operation that returns its entries page by page. */
export const listOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return withForms(
    descriptor,
    (connection): AnyMethod<object> =>
      (input = {}, options: ListOptions = {}) =>
        listCall(pager(connection, descriptor, input, options), options),
    printParameters,
  );
};
