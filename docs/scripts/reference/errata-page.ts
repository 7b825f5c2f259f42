import { errataKinds, operationById, type Erratum } from "@security-platform/spec";
import type { Collection } from "./index-pages.ts";
import { code, folded, joinBlocks, prose, table } from "./markdown.ts";
import { linkedProse } from "./mentions.ts";
import { operationLink } from "./places.ts";

/** The page that lists where the document differs from the original specification. */
export const errataPage = (
  errata: Readonly<Record<string, readonly Erratum[]>>,
  collections: readonly Collection[],
): string =>
  joinBlocks([
    "---\nsearch: title\npageClass: table-page labelled-table\naside: false\n---",
    "# Differences from the original specification",
    "The API has an original specification, in prose. This page lists where the OpenAPI document of this project adds to it or differs from it, and why. Tests enforce each entry. The kinds of entries are:",
    table(
      ["Kind", "Meaning"],
      Object.entries(errataKinds).map(([kind, meaning]) => [code(kind), prose(meaning)]),
    ),
    ...sectionOf("All collections", errata["shared"]),
    ...collections.flatMap(({ name, tag }) => sectionOf(tag, errata[name])),
  ]);

const sectionOf = (title: string, entries: readonly Erratum[] = []): readonly string[] => [
  `## ${prose(title)}`,
  ...folded(`${entries.length} differences`, [
    table(
      ["Where", "Original specification", "This document", "Reason"],
      entries.map(({ place, kind, specification, document, reason }) => [
        `${placeText(place)}<br>${kind}`,
        linkedProse(specification),
        linkedProse(document),
        linkedProse(reason),
      ]),
    ),
  ]),
];

const placeText = (place: string): string =>
  operationById(place) === undefined ? code(place) : `[${code(place)}](${operationLink(place)})`;
