import type { Operation } from "@security-platform/spec";
import { diagramSections } from "../diagrams/collection-diagrams.ts";
import { codeHtml, htmlBlock, methodBadge, pageAddress, proseHtml } from "./html.ts";
import { joinBlocks, prose, table } from "./markdown.ts";
import type { Guide } from "../sidebar.ts";
import { guideLinks } from "../subjects.ts";
import { linkedProse } from "./mentions.ts";
import { groupsOf } from "./operation-order.ts";
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

/** The page that lists the operations of one collection, by kind of record. */
export const collectionPage = (
  { name, tag, description, operations }: Collection,
  guides: readonly Guide[],
): string =>
  joinBlocks([
    ["---", "search: title", "pageClass: collection-page", "---"].join("\n"),
    `# ${prose(tag)}`,
    linkedProse(description),
    `Guides: ${guideLinks(guides)}.`,
    ...groupsOf(operations).flatMap(({ title, operations: members }) => [
      `## ${prose(title)}`,
      htmlBlock("operation-list", `<ul>${members.map(operationItem).join("")}</ul>`),
    ]),
    diagramSections(name),
  ]);

const operationItem = ({ id, method, path, summary, deprecated }: Operation): string =>
  [
    `<li${deprecated ? ' class="deprecated"' : ""}>${methodBadge(method)}`,
    `<a href="${pageAddress(operationLink(id))}">${proseHtml(summary)}</a>`,
    ...(deprecated ? ['<span class="member-deprecated">deprecated</span>'] : []),
    `<span class="operation-path">${codeHtml(path)} ${codeHtml(id)}</span></li>`,
  ].join(" ");

/** The page that lists the collections. */
export const referencePage = (collections: readonly Collection[]): string =>
  joinBlocks([
    "---\nterms: OpenAPI\nkeywords: openapi swagger postman bruno insomnia document\npageClass: table-page\naside: false\n---",
    "# Reference",
    "One page per operation. Also available as a document:",
    [
      "- [openapi.json](/docs/openapi.json){target=_self}, [openapi.yaml](/docs/openapi.yaml){target=_self}: OpenAPI 3.1",
      "- [openapi.envelope.json](/docs/openapi.envelope.json){target=_self}: the [Envelope representation](/guides/envelope)",
      "- [companion.json](/docs/companion.json){target=_self}: the [companion operations](/reference/companion/), which are not part of the API",
      "- [postman.json](/docs/postman.json){target=_self}: all requests with example values, for Postman and Bruno",
      "- [Schemas](/reference/schemas/): all objects, and which operations use them",
      "- [Scopes and roles](/reference/scopes), [statuses](/reference/statuses), [headers](/reference/headers) and [limits](/reference/limits) of all operations",
      "- [Changes](/reference/changelog) in each version of the document",
      "- [Differences](/reference/errata) from the original specification of the API",
    ].join("\n"),
    table(
      ["Collection", "Operations", "Description"],
      collections.map(({ name, tag, description, operations }) => [
        `[${prose(tag)}](${collectionLink(name)})`,
        `${operations.length} operations`,
        prose(description),
      ]),
    ),
  ]);
