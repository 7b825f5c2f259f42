import type { ServedOperation } from "@security-platform/spec";

/** The headers in every response of a deprecated operation. */
export interface Deprecation {
  /** RFC 9745: `@` followed by Unix seconds. */
  readonly since: string;
  /** Path of the replacement. */
  readonly successor: string | undefined;
}

/** Null for an operation that is not deprecated. */
export function deprecationOf(
  { deprecatedAt, replacedBy }: ServedOperation,
  operations: readonly ServedOperation[],
): Deprecation | null {
  if (deprecatedAt === undefined) return null;
  const successor = operations.find(({ id }) => id === replacedBy);
  return {
    since: `@${deprecatedAt}`,
    successor: successor?.path,
  };
}

/** Adds the headers, with a link to the replacement (RFC 5829). Keeps existing links, such as those of a page. */
export function addDeprecation(
  headers: Record<string, string>,
  { since, successor }: Deprecation,
  prefix: string,
): void {
  headers["deprecation"] = since;
  if (successor === undefined) return;
  const { link } = headers;
  const added = `<${prefix}${successor}>; rel="successor-version"`;
  headers["link"] = link === undefined ? added : `${link}, ${added}`;
}
