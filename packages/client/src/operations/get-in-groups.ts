import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import { NotFoundError } from "../wire/api-errors.ts";
import type { Descriptor, List } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { failedOperation } from "../wire/errors.ts";
import type { ResponseInfo } from "../wire/response-info.ts";
import { readList, withList, type Records } from "../wire/list.ts";

export { refuseList } from "./refuse-list.ts";

/** Requests the records in groups of the documented maximum, and joins them in order. */
export async function getInGroups(
  connection: Connection,
  descriptor: Descriptor,
  input: AnyInput,
  options?: CallOptions,
): Promise<Records> {
  const list = descriptor.list as List;
  const ids = readList(list, input) as readonly unknown[];
  const others = new AbortController();
  const signals = [others.signal, options?.signal ?? []].flat();
  const groupOptions = { ...options, signal: AbortSignal.any(signals) };
  const results = await Promise.all(
    // A server returns a record once, however often one request names it.
    inGroups([...new Set(ids)], list[1]).map((group) =>
      found(
        connection.call(descriptor, withList(list, input, group), groupOptions) as Promise<Records>,
      ),
    ),
  ).catch((error: unknown) => {
    // The call has failed, so nobody needs the groups that were not yet received.
    others.abort(error);
    throw error;
  });
  const data = results.flatMap((result) => result.data);
  const missing = results.flatMap(({ error }) => error ?? []);
  const [first] = missing;
  if (first === undefined) return { data, response: results[0]?.response as ResponseInfo };
  const errors = missing.flatMap((error) => error.errors);
  throw new NotFoundError(failedOperation(descriptor), { ...first, errors }, data);
}

/** The records of these ids that exist. */
export async function existingRecords(
  connection: Connection,
  descriptor: Descriptor,
  ids: readonly unknown[],
  options: CallOptions,
): Promise<readonly unknown[]> {
  const input = withList(descriptor.list as List, {}, ids);
  const { data } = await found(getInGroups(connection, descriptor, input, options));
  return data;
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

function inGroups<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += size) {
    groups.push(items.slice(start, start + size));
  }
  return groups;
}
