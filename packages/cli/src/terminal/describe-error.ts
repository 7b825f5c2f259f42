/** Describes any thrown value in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === "") {
    return [...new Set(error.errors.map(describeError))].join("; ");
  }
  return error.message === "" ? error.name : error.message;
}

/** `ENOSPC` and the like; undefined for errors that do not come from the system. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
