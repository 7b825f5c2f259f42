import { descriptorOf, type Source } from "../wire/descriptor.ts";
import { printInput } from "./fql.ts";
import { preparedOperation, type Operation } from "./operation.ts";

/**
 * An operation with filters or sort orders that may be trees or lists of keys, in parameters or in members of
 * the body.
 */
export const fqlOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return preparedOperation(descriptor, (input) => printInput(descriptor, input));
};
