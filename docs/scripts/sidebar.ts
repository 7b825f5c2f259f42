import { collectionLink, operationLink } from "./reference/places.ts";
import type { Collection } from "./reference/index-pages.ts";

export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** The reference part of the sidebar: a group a collection, in it an entry an operation. */
export const referenceSidebar = (collections: readonly Collection[]): readonly SidebarItem[] =>
  collections.map(({ name, tag, operations }) => ({
    text: tag,
    link: collectionLink(name),
    collapsed: true,
    items: operations.map(({ id, summary, deprecated }) => ({
      text: deprecated ? `${summary} (deprecated)` : summary,
      link: operationLink(id),
    })),
  }));
