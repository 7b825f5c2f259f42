import { attachment } from "../../blobs/content-disposition.ts";
import type { Readable } from "node:stream";
import { errors } from "../../foundation/errors.ts";
import type { ByteRange } from "../../blobs/byte-range.ts";
import type { FileContent } from "../../calls/answer.ts";
import { isKnown } from "./known-content.ts";

/** A response whose body is sent while it is read. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Null: the response has no body. */
  readonly body: Readable | null;
}

interface Conditions {
  readonly "if-none-match"?: string | undefined;
  readonly range?: string | undefined;
  readonly "if-range"?: string | string[] | undefined;
}

/**
 * The response for a file, or for the range that `conditions` request (RFC 9110 §14). A request for several
 * ranges gets the whole file, which the RFC allows. 304 if the caller has the file, whatever the range. Throws 416 for
 * a range beyond the end.
 */
export async function fileResponse(
  file: FileContent,
  conditions?: Conditions,
): Promise<StreamedResponse> {
  const etag = file.tag === undefined ? undefined : `"${file.tag}"`;
  if (etag !== undefined && isKnown(conditions?.["if-none-match"], etag)) {
    return { status: 304, headers: { "accept-ranges": "bytes", etag }, body: null };
  }
  const range = conditions === undefined ? null : requestedRange(file, conditions);
  const headers: Record<string, string> = {
    "content-type": file.mediaType,
    "content-disposition": attachment(file.name),
    "content-length": String(range === null ? file.bytes : range.end - range.start + 1),
  };
  if (conditions !== undefined) {
    headers["accept-ranges"] = "bytes";
    if (etag !== undefined) headers["etag"] = etag;
  }
  if (range === null) return { status: 200, headers, body: await file.open() };
  headers["content-range"] = `bytes ${range.start}-${range.end}/${file.bytes}`;
  return { status: 206, headers, body: await file.open(range) };
}

function requestedRange({ bytes, tag }: FileContent, conditions: Conditions): ByteRange | null {
  const [, first = "", last = ""] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(conditions.range?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return null;
  const condition = conditions["if-range"];
  if (condition !== undefined && (tag === undefined || condition !== `"${tag}"`)) return null;
  if (first !== "" && last !== "" && Number(first) > Number(last)) return null;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(bytes - 1, Number(last));
  if (start > end) throw errors.rangeNotSatisfiable(bytes);
  return { start, end };
}
