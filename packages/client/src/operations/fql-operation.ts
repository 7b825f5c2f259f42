import { descriptorOf, type Source } from "../wire/descriptor.ts";
import { bodyPrinter, printParameters } from "./fql.ts";
import { preparedOperation, type Operation } from "./operation.ts";

/**
 * An operation with filters or sort orders that may be trees or lists of keys, in parameters or in members of
 * the body.
 */
export const fqlOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  const printBody = bodyPrinter(descriptor.fql ?? []);
  return preparedOperation(descriptor, (input) => printBody(printParameters(input)));
};
