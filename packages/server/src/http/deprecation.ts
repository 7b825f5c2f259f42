import type { ServedOperation } from "@security-platform/spec";

/** The headers of every response of a deprecated operation. */
export interface Deprecation {
  /** RFC 9745: `@` and Unix seconds. */
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

/** Adds the headers, and the link to those of a page if there are any. */
export function addDeprecation(
  headers: Record<string, string>,
  { since, successor }: Deprecation,
): void {
  headers["deprecation"] = since;
  if (successor === undefined) return;
  const { link } = headers;
  headers["link"] = link === undefined ? successor : `${link}, ${successor}`;
}
