import { nearest } from "@security-platform/fql";

/** A page of the site; `link` starts after the base. */
export interface SitePage {
  readonly title: string;
  readonly link: string;
}

/** Maximum number of suggestions. */
const most = 5;

/** The pages whose names are similar to the last part of a path, the most similar ones first. */
export function closestPages(path: string, pages: readonly SitePage[]): readonly SitePage[] {
  const wanted = nameOf(path);
  if (wanted === "") return [];
  const byName = Map.groupBy(pages, ({ link }) => nameOf(link));
  const found: string[] = [];
  for (let left = [...byName.keys()]; found.length < most; left = without(left, found)) {
    const name = nearest(wanted, left);
    if (name === undefined) break;
    found.push(name);
  }
  const longer = [...byName.keys()].filter((name) => wanted.length > 3 && name.includes(wanted));
  return [...new Set([...found, ...longer])]
    .flatMap((name) => byName.get(name)?.slice(0, 1) ?? [])
    .slice(0, most);
}

const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));

/** `quick-start` of `/docs/guides/Quick_Start.html`. */
const nameOf = (path: string): string =>
  path
    .replace(/\/(?:index)?(?:\.html|\.md)?$/, "")
    .replace(/^.*\//, "")
    .replace(/\.(?:html|md)$/, "")
    .toLowerCase()
    .replaceAll(/[\s_]|%20/g, "-");
