import type { Contract, Operation } from "../contract.ts";
import { groupBy } from "../group-by.ts";

/** The operation of a request, and whether the document has its path. */
export interface Match {
  readonly operation: Operation | undefined;
  readonly knownPath: boolean;
}

/**
 * Finds operations by method and URL; the URL may be absolute, with a base path before the API's.
 */
export function operationMatcher(contract: Contract): (method: string, url: string) => Match {
  const byPath = groupBy(contract.operations, ({ path }) => path);
  const patterns = [...byPath].map(([path, operations]) => ({
    operations,
    pattern: new RegExp(
      `${path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^{}]+\}/g, "[^/]+")}$`,
    ),
  }));
  return (method, url) => {
    const path = pathOf(url);
    const operations =
      byPath.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.operations ?? [];
    return {
      operation: operations.find((candidate) => candidate.method === method.toLowerCase()),
      knownPath: operations.length > 0,
    };
  };
}

const pathOf = (url: string): string =>
  (/^[a-z]+:\/\/[^/]*(\/[^?#]*)?/i.exec(url)?.[1] ?? url).split(/[?#]/, 1)[0] ?? "/";
