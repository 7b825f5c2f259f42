import type { Answer } from "./answer.ts";
import type { CallOptions, ListOptions } from "./call-options.ts";
import type { Connection } from "./connection.ts";
import type { Descriptor, Ids } from "./descriptor.ts";
import type { AnyInput } from "./encode.ts";
import { NotFoundError, failedOperation } from "./errors.ts";
import { ListCall } from "./list-call.ts";
import type { ResponseInfo } from "./response-info.ts";
import { withForms, type AnyMethod, type Operation } from "./operation.ts";
import { pager, type Pager } from "./paging.ts";

type Records = Answer<readonly unknown[]>;

/**
 * An operation that reads records by id. `listIds` lists the ids for the form `matching`; an operation
 * without it does not have that form.
 */
export const getOperation = <Bound>(
  descriptor: Descriptor,
  listIds?: Operation<unknown>,
): Operation<Bound> => {
  const get = (connection: Connection, input: AnyInput = {}, options?: CallOptions) =>
    getRecords(connection, descriptor, input, options);
  return withForms(
    descriptor,
    (connection): AnyMethod<object> =>
      (input, options) =>
        get(connection, input, options),
    (connection) =>
      listIds === undefined
        ? {}
        : {
            matching: (query: AnyInput = {}, options: ListOptions = {}) => {
              const ids = pager(connection, listIds.descriptor, query, options);
              return new ListCall(recordPager(connection, descriptor, ids, options), options);
            },
          },
  );
};

/** Requests the records in groups of the documented maximum, and joins them in order. */
async function getRecords(
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
      found(connection.call(descriptor, withIds(place, input, group), options) as Promise<Records>),
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
const found = (answer: Promise<Records>) =>
  answer.then(
    ({ data, response }) => ({ data, response, error: undefined }),
    (error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      return { data: error.found, response: undefined, error };
    },
  );

/** A page of records for each page of ids. Records that were deleted in between are omitted. */
const recordPager = (
  connection: Connection,
  descriptor: Descriptor,
  ids: Pager<unknown>,
  options: CallOptions,
): Pager<unknown> => ({
  maximum: ids.maximum,
  next: async (size) => {
    const page = await ids.next(size);
    if (page === undefined || page.data.length === 0) return page;
    const input = withIds(descriptor.ids as Ids, {}, page.data);
    const { data } = await found(getRecords(connection, descriptor, input, options));
    return { ...page, data };
  },
});

const readIds = ({ name, body }: Ids, input: AnyInput): unknown =>
  body === true ? (input["body"] as AnyInput | undefined)?.[name] : input[name];

const withIds = ({ name, body }: Ids, input: AnyInput, ids: readonly unknown[]): AnyInput =>
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
