/**
 * Where the site will be published: `DOCS_URL`, such as `https://example.com/platform/`. Without it, the site is for
 * `secplat serve`, which serves it under `/docs/` of any host.
 */
const published = process.env["DOCS_URL"];

/** Throws for a URL that no site can have. */
export function siteAddress(url: string | undefined): {
  /** Absolute URL with a slash at its end; undefined if the host is unknown. */
  readonly url?: string;
  /** Path with a slash at both ends. */
  readonly base: string;
} {
  if (url === undefined || url === "") return { base: writtenBase };
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (
    parsed === undefined ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.search + parsed.hash !== ""
  ) {
    throw new Error(
      `DOCS_URL is ${url}. Expected an http or https URL, such as https://example.com/platform/`,
    );
  }
  const base = parsed.pathname.replace(/\/*$/, "/");
  return { url: `${parsed.origin}${base}`, base };
}

/** The base of links that are written in full in the pages. */
export const writtenBase = "/docs/";

export const { url: siteUrl, base } = siteAddress(published);

/** HTML with the links of the published site. */
export const htmlForBase = (html: string, to = base): string =>
  to === writtenBase ? html : html.replaceAll(/(?<=(?:href|src)=")\/docs\//g, to);

/** Markdown or a list of pages, with the addresses of the published site. */
export const textForSite = (text: string, to = siteUrl ?? base): string =>
  to === writtenBase ? text : text.replaceAll("](/docs/", `](${to}`);
