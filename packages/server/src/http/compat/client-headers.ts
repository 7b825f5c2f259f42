import type { OutgoingHttpHeaders } from "node:http";

/**
 * The region unless the host name has one. With one of the vendor's cloud, some clients would send further requests
 * there.
 */
const usualRegion = "local";

const namedRegion = /^[\w-]+\.(us-[12]|eu-1|us-gov-[12]|laggar\.gcw)\./i;

/** The region in the host name of a request, such as `api.us-2.example.com`. */
export function regionOf(host: string | undefined): string {
  const name = namedRegion.exec(host ?? "")?.[1]?.toLowerCase() ?? usualRegion;
  // The only region whose hosts have another name.
  return name === "laggar.gcw" ? "us-gov-1" : name;
}

/**
 * The headers of a response to existing clients. Some look headers up by their exact spelling, so names are
 * written in their usual capitals: `X-Ratelimit-Limit`. Adds the headers that only these clients read.
 */
export function withClientHeaders(
  headers: OutgoingHttpHeaders,
  host: string | undefined,
): OutgoingHttpHeaders {
  const written: OutgoingHttpHeaders = { "X-Cs-Region": regionOf(host) };
  for (const name in headers) {
    const value = headers[name];
    written[titleCaseName(name)] = value;
    if (name === "x-trace-id") written["X-Cs-Traceid"] = value;
  }
  return written;
}

const titleCaseNames = new Map<string, string>();

/** The server itself chooses all names, so the map stays small. */
export function titleCaseName(name: string): string {
  let capitals = titleCaseNames.get(name);
  if (capitals === undefined) {
    capitals = name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
    titleCaseNames.set(name, capitals);
  }
  return capitals;
}
