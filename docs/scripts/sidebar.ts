import { escape, methodBadge, pageAddress } from "./reference/html.ts";
import type { Collection } from "./reference/index-pages.ts";
import { groupsOf } from "./reference/operation-order.ts";
import { collectionLink, operationLink } from "./reference/places.ts";

export interface SidebarItem {
  /** HTML. */
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** The groups of guides, by what a reader wants to do. */
export const guideGroups = [
  "Start",
  "By role",
  "Concepts",
  "Collections",
  "Testing",
  "Operating",
  "Tools",
] as const;

export type GuideGroup = (typeof guideGroups)[number];

/** A guide: file name without extension, title, and position in its group. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly group: GuideGroup;
  readonly order: number;
  /** The beginnings of the paths of its operations. */
  readonly subjects: readonly string[];
}

/** Reads `group` and `order` of the front matter, and the first heading. Throws if one is missing. */
export function guideOf(name: string, markdown: string): Guide {
  const file = `guides/${name}.md`;
  const [front = ""] = /^---\n[^]*?\n---\n/.exec(markdown) ?? [];
  const order = /^order: (\d+)$/m.exec(front)?.[1];
  const group = /^group: (.+)$/m.exec(front)?.[1];
  const subjects = /^subjects: (.+)$/m.exec(front)?.[1]?.split(" ") ?? [];
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`${file} has no title`);
  if (order === undefined) throw new Error(`${file} has no order in its front matter`);
  const guideGroup = guideGroups.find((each) => each === group);
  if (guideGroup === undefined) {
    const problem = group === undefined ? "has no group" : `has the group ${group}`;
    throw new Error(`${file} ${problem} in its front matter. Expected ${guideGroups.join(", ")}`);
  }
  return { name, title, group: guideGroup, order: Number(order), subjects };
}

/**
 * The sidebar for each part of the site. A page lists the operations of its own collection, and
 * only the names of the other collections, to keep pages small.
 */
export function sidebars(
  collections: readonly Collection[],
  guides: readonly Guide[],
): Readonly<Record<string, readonly SidebarItem[]>> {
  const start: SidebarItem = { text: "Guides", link: "/guides/quick-start" };
  return {
    "/guides/": guideGroups.map((group) => ({
      text: group,
      items: guidesIn(group, guides).map(({ name, title }) => ({
        text: escape(title),
        link: `/guides/${name}`,
      })),
    })),
    "/reference/": [start, reference(collections, null)],
    ...Object.fromEntries(
      collections.map((collection) => [
        collectionLink(collection.name),
        [start, ...operationItems(collection), reference(collections, collection.name)],
      ]),
    ),
  };
}

const guidesIn = (group: GuideGroup, guides: readonly Guide[]): readonly Guide[] =>
  guides
    .filter((guide) => guide.group === group)
    .toSorted((left, right) => left.order - right.order || (left.title < right.title ? -1 : 1));

const reference = (collections: readonly Collection[], open: string | null): SidebarItem => ({
  text: open === null ? "Reference" : "Other collections",
  link: "/reference/",
  items: [
    ...collections
      .filter(({ name }) => name !== open)
      .map(({ name, tag }) => ({ text: escape(tag), link: collectionLink(name) })),
    { text: "Schemas", link: "/reference/schemas/" },
    { text: "Scopes and roles", link: "/reference/scopes" },
    { text: "Statuses", link: "/reference/statuses" },
    { text: "Headers", link: "/reference/headers" },
    { text: "Limits", link: "/reference/limits" },
    { text: "Changes", link: "/reference/changelog" },
    { text: "Differences", link: "/reference/errata" },
  ],
});

const operationItems = ({ name, tag, operations }: Collection): readonly SidebarItem[] => [
  { text: escape(tag), link: collectionLink(name) },
  ...groupsOf(operations).map(({ title, operations: members }) => ({
    text: escape(title),
    items: members.map(({ id, method, summary, deprecated }) => ({
      text: `${methodBadge(method)}<span${deprecated ? ' class="deprecated"' : ""}>${escape(summary)}</span>`,
      link: operationLink(id),
    })),
  })),
];

/** All guides by group, for the home page. */
export const guideMap = (guides: readonly Guide[]): string =>
  `<div class="guide-map">${guideGroups
    .map((group) => {
      const links = guidesIn(group, guides).map(
        ({ name, title }) =>
          `<li><a href="${pageAddress(`/guides/${name}`)}">${escape(title)}</a></li>`,
      );
      return `<section><h3>${group}</h3><ul>${links.join("")}</ul></section>`;
    })
    .join("")}</div>\n`;
