import type { Descriptor } from "../wire/descriptor.ts";
import { bodyPrinter, printParameters } from "./fql.ts";
import { operation, type Operation } from "./operation.ts";

/**
 * An operation with filters or sort orders that may be trees or lists of keys, in parameters or in members of
 * the body.
 */
export const fqlOperation = <Bound>(
  descriptor: Descriptor,
  bodyMembers: readonly string[] = [],
): Operation<Bound> => {
  const printBody = bodyPrinter(bodyMembers);
  return operation(descriptor, (input) => printBody(printParameters(input)));
};
