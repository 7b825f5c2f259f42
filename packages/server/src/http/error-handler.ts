import { FqlSyntaxError } from "@security-platform/fql";
import type { FastifyError } from "fastify";
import { ApiError, errors } from "../errors.ts";
import { DuplicateRecordError } from "../store/errors.ts";

/** ENOSPC and EDQUOT of the file system, SQLITE_FULL, disk_full of PostgreSQL. */
function isDiskFull(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
    if (code === "ENOSPC" || code === "EDQUOT" || code === "53100") return true;
    if (typeof errcode === "number" && (errcode & 0xff) === 13) return true;
  }
  return false;
}

/** Turns whatever was thrown into the one error that the caller sees. */
export function asApiError(
  thrown: unknown,
  traceId: string,
  bodyLimit: number,
  accepted: readonly string[],
  mediaType: string | undefined,
): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof FqlSyntaxError) return errors.invalidFilter(thrown.message);
  if (thrown instanceof DuplicateRecordError) {
    return errors.conflict(
      thrown.keys.map((key) => ({ at: "", message: `${key} exists already` })),
    );
  }
  switch ((thrown as FastifyError | undefined)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return errors.bodyTooLarge(bodyLimit);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return errors.unsupportedMediaType(mediaType, accepted);
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return errors.invalidRequest([
        { at: "body", message: "its size does not match Content-Length" },
      ]);
    case "FST_ERR_BAD_URL":
      return errors.invalidRequest([{ at: "path", message: "is not a valid URL path" }]);
    case "ECONNRESET":
      return errors.timedOut();
    default:
      return isDiskFull(thrown) ? errors.diskFull() : errors.internal(traceId);
  }
}
