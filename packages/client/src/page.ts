/** Page data of a list. What the server does not say is undefined. */
export interface Page {
  /** Records a page holds at most. */
  readonly limit: number | undefined;
  /** Position of the page's first record, when paging by offset. */
  readonly offset: number | undefined;
  /** Records that match in all, when paging by offset. */
  readonly total: number | undefined;
  /** Cursor of the next page, to be sent as `after`; undefined on the last page. */
  readonly after: string | undefined;
  /** Neighbouring pages as the server wrote them: `next`, `prev`, `first` (RFC 8288). */
  readonly links: Readonly<Partial<Record<string, string>>>;
}

/**
 * Page data from the headers; what they do not hold comes from `pagination`, the part of an
 * Envelope's `meta` of that name.
 */
export function readPage(headers: Headers, pagination: unknown): Page {
  const inBody = isObject(pagination) ? pagination : {};
  const after = headers.get("x-pagination-after") ?? inBody["after"];
  return {
    limit: count(headers.get("x-pagination-limit") ?? inBody["limit"]),
    offset: count(headers.get("x-pagination-offset") ?? inBody["offset"]),
    total: count(headers.get("x-total-count") ?? inBody["total"]),
    after: typeof after === "string" && after !== "" ? after : undefined,
    links: readLinks(headers.get("link")),
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function count(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** `<target>; name="value"; …` of a Link header: quoted values may hold commas and semicolons. */
const linkPattern = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s";,]+))?)*)/g;
const parameterPattern = /;\s*([^\s=;,]+)\s*=\s*(?:"([^"]*)"|([^\s";,]+))/g;

/** The targets of a Link header by relation; the first of each relation counts. */
export function readLinks(header: string | null): Page["links"] {
  const links: Record<string, string> = {};
  for (const [, target = "", parameters = ""] of (header ?? "").matchAll(linkPattern)) {
    for (const [, name = "", quoted, bare] of parameters.matchAll(parameterPattern)) {
      if (name.toLowerCase() !== "rel") continue;
      for (const relation of (quoted ?? bare ?? "").split(/\s+/)) links[relation] ??= target;
      break;
    }
  }
  return links;
}
