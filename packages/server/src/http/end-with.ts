import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";

const pieceBytes = 256 * 1024;

/**
 * Sends the body of a response. Sends a large one in pieces, because the end of a piece is the sign that the
 * caller takes bytes.
 */
export function endWith(response: ServerResponse, body: string, encoding: "latin1" | "utf8"): void {
  if (body.length <= pieceBytes) response.end(body, encoding);
  else Readable.from(piecesOf(Buffer.from(body, encoding)), { objectMode: false }).pipe(response);
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
  }
}
