/** Whether a parameter has identifiers of existing records. */
export const hasIds = (parameter: string): boolean =>
  /^(?:ids?|\w+_group_ids|user_uuid)$/.test(parameter);

/**
 * A body with other identifiers of its own records, in order; `count` is the number of those replaced. They are in the members
 * `id` and `ids`; of an update also in those of the entries of lists. With fewer identifiers than the body has, lists
 * become shorter.
 */
export function replaceIds(
  body: unknown,
  ids: readonly string[],
  { isUpdate }: { readonly isUpdate: boolean },
): { readonly body: unknown; readonly count: number } {
  let count = 0;
  const next = (): string => {
    count += 1;
    return ids[(count - 1) % ids.length] ?? "";
  };
  const entry = (value: unknown): unknown => (isObject(value) ? ownIds(value) : value);
  const member = (name: string, value: unknown): unknown => {
    if (name === "id" && typeof value === "string") return next();
    if (!Array.isArray(value)) return value;
    if (name === "ids") return value.slice(0, ids.length).map(next);
    return isUpdate ? value.map(entry) : value;
  };
  const ownIds = (value: object): object =>
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, member(name, each)]));
  return { body: entry(body), count };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
