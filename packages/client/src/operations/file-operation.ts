import { descriptorOf, type Source } from "../wire/descriptor.ts";
import { fileCall } from "./file-call.ts";
import { withForms, type AnyMethod, type Operation } from "./operation.ts";

/** An operation that returns a file. */
export const fileOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return withForms(
    descriptor,
    (connection): AnyMethod<object> =>
      (input = {}, options = {}) =>
        fileCall(connection, descriptor, input, options),
  );
};
