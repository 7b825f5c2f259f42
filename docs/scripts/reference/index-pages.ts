import type { Operation } from "@security-platform/spec";
import { code, joinBlocks, prose, table } from "./markdown.ts";
import { collectionLink, operationLink } from "./places.ts";

export interface Collection {
  /** Folder: `user-management`. */
  readonly name: string;
  /** Display name: `User Management`. */
  readonly tag: string;
  readonly description: string;
  /** Sorted by path, then method. */
  readonly operations: readonly Operation[];
}

/** The collections in the order of the document's tags. */
export function collectionsOf(
  operations: readonly Operation[],
  tags: readonly { readonly name: string; readonly description: string }[],
): readonly Collection[] {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  return tags.flatMap(({ name: tag, description }) => {
    const tagged = byTag.get(tag) ?? [];
    const [first] = tagged;
    return first === undefined
      ? []
      : [{ name: first.collection, tag, description, operations: tagged }];
  });
}

/** The page that lists the operations of one collection. */
export const collectionPage = ({ tag, description, operations }: Collection): string =>
  joinBlocks([
    `# ${prose(tag)}`,
    prose(description),
    table(
      ["Description", "Operation"],
      operations.map((operation) => [
        [
          `[${prose(operation.summary)}](${operationLink(operation.id)})`,
          ...(operation.deprecated ? ["(deprecated)"] : []),
        ].join(" "),
        `${code(operation.id)}<br>${code(`${operation.method.toUpperCase()} ${operation.path}`)}`,
      ]),
    ),
  ]);

/** The page that lists the collections. */
export const referencePage = (collections: readonly Collection[]): string =>
  joinBlocks([
    "# Reference",
    "One page per operation. Also available [on one page](/docs/redoc.html){target=_self}, or as a document:",
    [
      "- [openapi.json](/docs/openapi.json){target=_self}, [openapi.yaml](/docs/openapi.yaml){target=_self}: OpenAPI 3.1",
      "- [openapi.envelope.json](/docs/openapi.envelope.json){target=_self}: the [Envelope representation](/guides/envelope)",
      "- [companion.json](/docs/companion.json){target=_self}: the [companion operations](/reference/companion/), which are not part of the API",
      "- [Departures](/reference/errata) from the written specification of the API",
    ].join("\n"),
    table(
      ["Collection", "Operations", "Description"],
      collections.map(({ name, tag, description, operations }) => [
        `[${prose(tag)}](${collectionLink(name)})`,
        String(operations.length),
        prose(description),
      ]),
    ),
  ]);
