import type { Answer } from "../wire/answer.ts";
import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import { descriptorOf, type Descriptor, type Ids, type Source } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { NotFoundError, failedOperation } from "../wire/errors.ts";
import type { ResponseInfo } from "../wire/response-info.ts";
import { withForms, type AnyMethod, type Operation } from "./operation.ts";

type Records = Answer<readonly unknown[]>;

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

/** Requests the records in groups of the documented maximum, and joins them in order. */
export async function getRecords(
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
  const groups = inGroups(ids, place.maximum);
  const results = await Promise.all(
    groups.map((group) =>
      existingRecords(
        connection.call(descriptor, withIds(place, input, group), options) as Promise<Records>,
      ),
    ),
  );
  const data = results.flatMap((result) => result.data);
  const missing = results.flatMap(({ error }) => error ?? []);
  const [first] = missing;
  if (first === undefined) return { data, response: results[0]?.response as ResponseInfo };
  const errors = missing.flatMap((error) => error.errors);
  throw new NotFoundError(failedOperation(descriptor), { ...first, errors }, data);
}

/** The records of an answer, or those that exist and the error. */
export const existingRecords = (answer: Promise<Records>) =>
  answer.then(
    ({ data, response }) => ({ data, response, error: undefined }),
    (error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      return { data: error.found, response: undefined, error };
    },
  );

const readIds = ({ name, body }: Ids, input: AnyInput): unknown =>
  body === true ? (input["body"] as AnyInput | undefined)?.[name] : input[name];

export const withIds = ({ name, body }: Ids, input: AnyInput, ids: readonly unknown[]): AnyInput =>
  body === true
    ? { ...input, body: { ...(input["body"] as object | undefined), [name]: ids } }
    : { ...input, [name]: ids };

function inGroups<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += size) {
    groups.push(items.slice(start, start + size));
  }
  return groups;
}
