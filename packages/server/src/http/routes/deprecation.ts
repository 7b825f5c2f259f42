import type { ServedOperation } from "@security-platform/spec";

/** The headers in every response of a deprecated operation. */
export interface Deprecation {
  /** RFC 9745: `@` followed by Unix seconds. */
  readonly since: string;
  /** RFC 5829: a link to the replacement. */
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
    successor: successor && `<${successor.path}>; rel="successor-version"`,
  };
}

/** Adds the headers. Keeps existing links, such as those of a page. */
export function addDeprecation(
  headers: Record<string, string>,
  { since, successor }: Deprecation,
): void {
  headers["deprecation"] = since;
  if (successor === undefined) return;
  const { link } = headers;
  headers["link"] = link === undefined ? successor : `${link}, ${successor}`;
}
