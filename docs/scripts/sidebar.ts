import { collectionLink, operationLink } from "./reference/places.ts";
import type { Collection } from "./reference/index-pages.ts";

export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** A guide: file name without extension, title, and position among the guides. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly order: number;
}

/** Reads `order` of the front matter (default: last) and the first heading. */
export function guideOf(name: string, markdown: string): Guide {
  const order = /^---\n(?:.*\n)*?order: (\d+)\n/.exec(markdown)?.[1];
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`guides/${name}.md has no title`);
  return { name, title, order: order === undefined ? Number.MAX_SAFE_INTEGER : Number(order) };
}

/**
 * The sidebar for each part of the site. A page lists the operations of its own collection, and
 * only the names of the other collections, to keep pages small.
 */
export function sidebars(
  collections: readonly Collection[],
  guides: readonly Guide[],
): Readonly<Record<string, readonly SidebarItem[]>> {
  const guideList: SidebarItem = { text: "Guides", items: guideItems(guides) };
  const start: SidebarItem = { text: "Guides", link: "/guides/quick-start" };
  return {
    "/": [guideList, reference(collections, null)],
    ...Object.fromEntries(
      collections.map(({ name }) => [collectionLink(name), [start, reference(collections, name)]]),
    ),
  };
}

const guideItems = (guides: readonly Guide[]): readonly SidebarItem[] =>
  guides
    .toSorted((left, right) => left.order - right.order || (left.title < right.title ? -1 : 1))
    .map(({ name, title }) => ({ text: title, link: `/guides/${name}` }));

const reference = (collections: readonly Collection[], open: string | null): SidebarItem => ({
  text: "Reference",
  link: "/reference/",
  items: collections.map(({ name, tag, operations }) => ({
    text: tag,
    link: collectionLink(name),
    ...(name === open
      ? {
          collapsed: false,
          items: operations.map(({ id, summary, deprecated }) => ({
            text: deprecated ? `${summary} (deprecated)` : summary,
            link: operationLink(id),
          })),
        }
      : {}),
  })),
});
