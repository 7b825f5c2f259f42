import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";

const pieceBytes = 256 * 1024;

/**
 * Sends the body of a response. Sends a large one in pieces, because the end of a piece is the sign that the
 * caller takes bytes.
 */
export function endWith(
  response: ServerResponse,
  body: string | Buffer,
  encoding: "latin1" | "utf8" = "utf8",
): void {
  if (body.length <= pieceBytes) {
    response.end(body, encoding);
    return;
  }
  const bytes = typeof body === "string" ? Buffer.from(body, encoding) : body;
  Readable.from(piecesOf(bytes), { objectMode: false }).pipe(response);
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
  }
}
