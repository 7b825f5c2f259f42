import type { AccessTag } from "./access-tags.ts";

/** Whether cases with these access tags are visible to somebody who holds `held`. */
export const canSee = (
  { access_tags }: { readonly access_tags: readonly Pick<AccessTag, "id">[] },
  held: ReadonlySet<string>,
): boolean => access_tags.length === 0 || access_tags.some(({ id }) => held.has(id));

/** The record with `has_access` before the member `next`, its place in the document. */
export const withAccess = <Record extends object>(
  record: Record,
  next: string & keyof Record,
  has_access: boolean,
): Record & { readonly has_access: boolean } =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      name === next
        ? [
            ["has_access", has_access],
            [name, value],
          ]
        : [[name, value]],
    ),
  ) as Record & { readonly has_access: boolean };
