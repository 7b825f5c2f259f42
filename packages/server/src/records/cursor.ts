import { createHmac } from "node:crypto";
import { sameSecret } from "../secrets/same-secret.ts";
import { CursorError, type Position } from "../store/index.ts";

/** What an `after` token carries from one page to the next. */
export interface Cursor {
  /** Identifies the query. The cursor is not valid for any other query. */
  readonly question: string;
  /** The instant of the scan, in milliseconds since 1970. */
  readonly now: number;
  readonly position: Position;
  /** The total of a scan whose first page had one, and the number of records before the next page. */
  readonly progress?: { readonly total: number; readonly listed: number };
}

const signatureLength = 43;

/** An opaque text that only the holder of `secret` can create: base64url of payload and HMAC-SHA256. */
export function sealCursor(secret: string, cursor: Cursor): string {
  const { question, now, position, progress } = cursor;
  const { snapshot, keys, place, row } = position;
  const text = JSON.stringify([
    question,
    now,
    snapshot,
    keys,
    place,
    row,
    ...(progress === undefined ? [] : [progress.total, progress.listed]),
  ]);
  const payload = Buffer.from(text).toString("base64url");
  return payload + signatureOf(secret, payload);
}

/** Throws `CursorError` for a text that `sealCursor` did not create with this secret. */
export function openCursor(secret: string, text: string): Cursor {
  const payload = text.slice(0, -signatureLength);
  if (!sameSecret(text.slice(-signatureLength), signatureOf(secret, payload))) {
    throw new CursorError("the cursor was not made by this server");
  }
  const [question, now, snapshot, keys, place, row, total, listed] = JSON.parse(
    Buffer.from(payload, "base64url").toString(),
  ) as [string, number, number[], Position["keys"], number, number, number?, number?];
  return {
    question,
    now,
    position: { snapshot, keys, place, row },
    ...(total === undefined || listed === undefined ? {} : { progress: { total, listed } }),
  };
}

function signatureOf(secret: string, payload: string): string {
  return createHmac("sha256", secret).update(payload).digest("base64url");
}
