import { descriptorOf, type Source } from "../wire/descriptor.ts";
import { isTooLong } from "../wire/list.ts";
import { withForms, type AnyMethod, type Operation } from "./operation.ts";

const load = () => import("./get-in-groups.ts");

/** An operation that reads records by id, with any number of ids. */
export const getOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return withForms(
    descriptor,
    (connection): AnyMethod<object> =>
      (input = {}, options) =>
        isTooLong(descriptor, input)
          ? load().then(({ getInGroups }) => getInGroups(connection, descriptor, input, options))
          : connection.call(descriptor, input, options),
    (input) =>
      isTooLong(descriptor, input)
        ? load().then(({ refuseList }) => refuseList(descriptor, input))
        : input,
  );
};
