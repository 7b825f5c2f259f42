import type { IncomingMessage } from "node:http";
import { errors, type ApiError } from "../../foundation/errors.ts";

/**
 * Refuses a message that a proxy may read differently from this server: a message without exactly one `Host`
 * (RFC 9112 §3.2), or with a body in a transfer coding that the server does not decode (§6.1).
 */
export function messageError({
  headers,
  rawHeaders,
  httpVersionMinor,
  httpVersionMajor,
}: IncomingMessage): ApiError | null {
  const hosts = countOf("host", rawHeaders);
  if (hosts > 1) return refused("headers.host", `expected one, got ${hosts}`);
  if (hosts === 0 && httpVersionMajor === 1 && httpVersionMinor === 1) {
    return refused("headers.host", "is required");
  }
  const coding = headers["transfer-encoding"];
  return coding === undefined || coding.toLowerCase() === "chunked"
    ? null
    : refused("headers.transfer-encoding", "expected chunked alone");
}

const refused = (at: string, message: string): ApiError => errors.invalidRequest([{ at, message }]);

/**
 * Counts a header in `rawHeaders`, where names and values alternate. `headers` keeps only the first `Host`.
 */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] ?? "";
    if (each.length === name.length && each.toLowerCase() === name) count += 1;
  }
  return count;
}
