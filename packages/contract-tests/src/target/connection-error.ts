/** There is no complete HTTP response. The message describes what happened and where. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** Explains why a request got no complete response. */
export function connectionError(
  error: unknown,
  { method, url }: { readonly method: string; readonly url: string },
  timeoutMilliseconds: number,
): ConnectionError {
  const place = `${method} ${url}`;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new ConnectionError(`${place}: no complete response in ${timeoutMilliseconds} ms`);
  }
  const reasons = reasonsOf(error);
  const code = reasons.find((reason) => reason.code !== undefined)?.code;
  const explanation = explanations[code ?? ""];
  const detail = reasons.map(({ message }) => message).join(": ");
  return new ConnectionError(
    `${place}: ${explanation === undefined ? "" : `${explanation}: `}${detail}`,
    { cause: error },
  );
}

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at this host and port",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name cannot be resolved now",
  ECONNRESET: "the target closed the connection before the response was complete",
  EPIPE: "the target closed the connection before the request was complete",
  UND_ERR_SOCKET: "the target closed the connection before the response was complete",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the body is not as long as Content-Length says",
  UND_ERR_HEADERS_OVERFLOW: "the response headers are too large",
  HPE_INVALID_CONSTANT: "the response is not HTTP",
};

interface Reason {
  readonly message: string;
  readonly code: string | undefined;
}

function reasonsOf(error: unknown): readonly Reason[] {
  if (!(error instanceof Error)) return [{ message: String(error), code: undefined }];
  const code = (error as { code?: unknown }).code;
  const own = {
    message: error.message === "" ? String(code ?? error.name) : error.message,
    code: typeof code === "string" ? code : undefined,
  };
  return error.cause === undefined ? [own] : [own, ...reasonsOf(error.cause)];
}
