import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import { descriptorOf, type Descriptor, type Ids, type Source } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { readIds, type Records } from "../wire/ids.ts";
import { withForms, type AnyMethod, type Operation } from "./operation.ts";

/** An operation that reads records by id, with any number of ids. */
export const getOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return withForms(
    descriptor,
    (connection): AnyMethod<object> =>
      (input = {}, options) =>
        getRecords(connection, descriptor, input, options),
  );
};

/** The records of a call. More ids than one request may have are requested in groups. */
export function getRecords(
  connection: Connection,
  descriptor: Descriptor,
  input: AnyInput,
  options: CallOptions | undefined,
): Promise<Records> {
  const place = descriptor.ids as Ids;
  const ids = readIds(place, input);
  if (!Array.isArray(ids) || ids.length <= place.maximum) {
    return connection.call(descriptor, input, options) as Promise<Records>;
  }
  return import("./get-in-groups.ts").then(({ getInGroups }) =>
    getInGroups(connection, descriptor, { input, ids, options }),
  );
}
