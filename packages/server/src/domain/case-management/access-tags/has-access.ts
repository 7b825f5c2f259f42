import type { AccessTag } from "./access-tags.ts";

/** Whether cases with these access tags are visible to somebody who holds `held`. */
export const canSee = (
  { access_tags }: { readonly access_tags: readonly Pick<AccessTag, "id">[] },
  held: ReadonlySet<string>,
): boolean => access_tags.length === 0 || access_tags.some(({ id }) => held.has(id));

/** The record with an added member before the member `next`, as in the order of the document. */
export const withMember = (record: object, next: string, name: string, value: unknown): object =>
  Object.fromEntries(
    Object.entries(record).flatMap((entry) =>
      entry[0] === next ? [[name, value] as const, entry] : [entry],
    ),
  );

/** The record with `has_access`. */
export const withAccess = <Record extends object>(
  record: Record,
  next: string & keyof Record,
  has_access: boolean,
): object => withMember(record, next, "has_access", has_access);
