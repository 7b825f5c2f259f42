import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { siteFolder } from "./places.ts";

const base = "/docs/";

/** A page of the built site. */
export interface Page {
  /** `/docs/guides/filters.html`. */
  readonly address: string;
  readonly html: string;
}

/** The pages of the built site. Throws if the site is not built. */
export function sitePages(): readonly Page[] {
  const files = globSync("**/*.html", { cwd: siteFolder });
  if (files.length === 0) throw new Error("the site is not built: npm run build -w docs");
  return files.map((file) => ({
    address: `${base}${file.replaceAll("\\", "/")}`,
    html: readFileSync(join(siteFolder, file), "utf8"),
  }));
}

/** URLs in `href` and `src` attributes, with entities decoded. */
export const linksIn = (html: string): readonly string[] =>
  [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = ""]) =>
    link.replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
  );

/** The possible link targets within a page. */
export const anchorsIn = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id));
