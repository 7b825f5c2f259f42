import type { OutgoingHttpHeaders } from "node:http";

/** A region of a cloud would make some clients send all further requests to that cloud. */
const region = "local";

/**
 * The headers of a response to existing clients. Some look headers up by their exact spelling, so names are
 * written in their usual capitals: `X-Ratelimit-Limit`. Adds the headers that only these clients read.
 */
export function withClientHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const written: OutgoingHttpHeaders = { "X-Cs-Region": region };
  for (const name in headers) {
    const value = headers[name];
    written[inCapitals(name)] = value;
    if (name === "x-trace-id") written["X-Cs-Traceid"] = value;
  }
  return written;
}

const namesInCapitals = new Map<string, string>();

/** The server itself chooses all names, so the map stays small. */
export function inCapitals(name: string): string {
  let capitals = namesInCapitals.get(name);
  if (capitals === undefined) {
    capitals = name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
    namesInCapitals.set(name, capitals);
  }
  return capitals;
}
