import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** Whether a request asks for another protocol. It is answered in this one (RFC 9110 §7.8). */
export const asksForUpgrade = ({ connection = "", upgrade }: IncomingHttpHeaders): boolean =>
  upgrade !== undefined && /\bupgrade\b/i.test(connection);

/**
 * Whether the end of a request is doubtful: HTTP/1.0 has no transfer encodings, so a proxy may have read another body
 * (RFC 9112 §6.1).
 */
export const hasFaultyFraming = ({ httpVersionMinor, headers }: IncomingMessage): boolean =>
  httpVersionMinor === 0 && headers["transfer-encoding"] !== undefined;

/**
 * Asks the caller for the body when something reads it. A request that is refused before costs no body. Then the
 * connection closes, because the caller may send the body or the next request.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const onListener = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", onListener);
    if (response.headersSent) return;
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
  };
  request.on("newListener", onListener);
}
