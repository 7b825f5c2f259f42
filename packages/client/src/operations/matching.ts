import type { CallOptions, ListOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { listCall } from "./list-call.ts";
import type { Operation } from "./operation.ts";
import { pager, type Pager } from "./paging.ts";

/**
 * Adds the form `matching` to a get operation: it lists ids with the second operation and reads their
 * records.
 */
export function matching<Bound>(
  get: Operation<object>,
  listIds: Operation<unknown>,
): Operation<Bound> {
  const { descriptor } = get;
  const bind = (connection: Connection): Bound =>
    Object.assign(get(connection), {
      matching: (query: AnyInput = {}, options: ListOptions = {}) => {
        const ids = pager(connection, listIds.descriptor, query, options);
        return listCall(recordPager(connection, descriptor, ids, options), options);
      },
    }) as Bound;
  return Object.assign(bind, { descriptor });
}

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
    const { existingRecords } = await import("./get-in-groups.ts");
    const data = await existingRecords(connection, descriptor, page.data, options);
    return { ...page, data };
  },
});
