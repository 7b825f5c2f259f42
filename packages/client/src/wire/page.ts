import { asObject } from "./any-object.ts";

/** Page data of a list. Values that the server does not send are undefined. */
export interface Page {
  /** Page size. */
  readonly limit: number | undefined;
  /** Position of the page's first record, when paging by offset. */
  readonly offset: number | undefined;
  /** Total number of matching records, when paging by offset. */
  readonly total: number | undefined;
  /** Cursor of the next page, for `after`; undefined on the last page. */
  readonly after: string | undefined;
}

/** Page data from the headers, with the Envelope's `meta.pagination` as the fallback. */
export function readPage(headers: Headers, pagination: unknown): Page {
  const inBody = asObject(pagination) ?? {};
  const after = headers.get("x-pagination-after") ?? inBody["after"];
  return {
    limit: count(headers.get("x-pagination-limit") ?? inBody["limit"]),
    offset: count(headers.get("x-pagination-offset") ?? inBody["offset"]),
    total: count(headers.get("x-total-count") ?? inBody["total"]),
    after: typeof after === "string" && after !== "" ? after : undefined,
  };
}

function count(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/**
 * `<target>; name="value"; …` of a Link header: quoted values may contain commas and semicolons.
 */
const linkPattern = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s";,]+))?)*)/g;
const parameterPattern = /;\s*([^\s=;,]+)\s*=\s*(?:"([^"]*)"|([^\s";,]+))/g;

/**
 * Links to other pages as sent by the server, by relation: `next`, `prev`, `first` (RFC 8288). The first link of
 * each relation is used.
 */
export function readLinks({
  headers,
}: Pick<Response, "headers">): Readonly<Partial<Record<string, string>>> {
  const header = headers.get("link");
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
