import { FqlSyntaxError } from "@security-platform/fql";
import type { FastifyError } from "fastify";
import { BlobMissingError, BlobStoreError, BlobTooLargeError } from "../../blobs/errors.ts";
import { ApiError, errors } from "../../foundation/errors.ts";
import { PartlyDoneError } from "../../foundation/partly-done-error.ts";
import {
  DuplicateRecordError,
  RequestTakenError,
  StoreBusyError,
  StoreFullError,
  StoreOpenFilesError,
  StoreReadOnlyError,
  StoreTimeoutError,
  StoreUnavailableError,
  TextTooLongError,
} from "../../store/index.ts";
import { NoTurnError } from "../../threads/tenant-turns.ts";
import { ThreadStartError } from "../../threads/thread-start-error.ts";

/** Maximum length of a path parameter. */
export const parameterCharacters = 500;

/** Seconds after which a request that could not wait may be sent again. */
const waitSeconds = 5;

/** Codes of the file system: no space, quota exceeded, maximum file size. */
const diskFullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The process or the system has too many open files. */
const exhaustedCodes: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

/** The error for a shortage of space or open files, if `thrown` or a cause of it is one. */
function shortageError(thrown: unknown): ApiError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { readonly code?: unknown };
    if (error instanceof StoreFullError || diskFullCodes.has(code)) return errors.diskFull();
    if (error instanceof StoreOpenFilesError || exhaustedCodes.has(code)) {
      return errors.tooManyOpenFiles();
    }
  }
  return undefined;
}

/**
 * Converts any thrown value into the error that the caller receives. `accepted`: the media types that the
 * operation accepts; empty if it takes no body.
 */
export function asApiError(
  thrown: unknown,
  traceId: string,
  accepted: readonly string[],
  mediaType: string | undefined,
): ApiError {
  if (thrown instanceof ApiError) {
    return thrown.status === 413 && accepted.length === 0 ? errors.unexpectedBody() : thrown;
  }
  if (thrown instanceof PartlyDoneError) {
    return asApiError(thrown.cause, traceId, accepted, mediaType).after(thrown.message);
  }
  if (thrown instanceof FqlSyntaxError) return errors.invalidFilter(thrown.message);
  if (thrown instanceof DuplicateRecordError) {
    return errors.conflict(
      thrown.keys.map((key) => ({ at: "", message: `${key} exists already` })),
    );
  }
  if (thrown instanceof NoTurnError) return errors.tooManyRequests(waitSeconds);
  if (thrown instanceof RequestTakenError) return errors.requestInProgress(1);
  if (thrown instanceof TextTooLongError) {
    const message = `expected at most ${thrown.bytes} bytes of UTF-8`;
    return errors.invalidRequest([{ at: thrown.field, message }]);
  }
  if (thrown instanceof StoreReadOnlyError) return errors.databaseReadOnly();
  if (thrown instanceof StoreUnavailableError) return errors.databaseAway();
  if (thrown instanceof StoreBusyError) return errors.databaseBusy();
  if (thrown instanceof StoreTimeoutError) return errors.databaseSlow();
  if (thrown instanceof BlobMissingError) return errors.fileGone();
  if (thrown instanceof BlobTooLargeError) return errors.bodyTooLarge(thrown.limit);
  if (thrown instanceof BlobStoreError) return errors.filesUnavailable();
  if (thrown instanceof ThreadStartError) return errors.tooManyOpenFiles();
  switch ((thrown as FastifyError | undefined)?.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return accepted.length === 0
        ? errors.unexpectedBody()
        : errors.unsupportedMediaType(mediaType, accepted);
    case "FST_ERR_NOT_FOUND":
      // The framework's last resort. Over a connection, the parser refuses such a method before.
      return errors.invalidRequest([
        { at: "", message: "the method is unknown, or not in capitals" },
      ]);
    case "FST_ERR_BAD_URL":
      return errors.invalidRequest([{ at: "path", message: "is not a valid URL path" }]);
    case "FST_ERR_MAX_PARAM_LENGTH":
      return errors.invalidRequest([
        { at: "path", message: `contains a part of more than ${parameterCharacters} characters` },
      ]);
    case "ECONNRESET":
      return errors.timedOut();
    default:
      return shortageError(thrown) ?? errors.internal(traceId);
  }
}
