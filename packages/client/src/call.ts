import { decodeAnswer, failed, type AnyAnswer } from "./answer.ts";
import type { CallOptions } from "./call-options.ts";
import type { Clock } from "./clock.ts";
import { encodeRequest, type AnyInput, type EncodedRequest } from "./encode.ts";
import { NetworkError, TimeoutError } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { effectiveStatus, refusalError } from "./refusal.ts";
import type { TokenSource } from "./token-source.ts";
import type { Transport, TransportResponse } from "./transport.ts";

/** State shared by all calls of a client. */
export interface Connection {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timeoutMilliseconds: number;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Calls an operation that needs a token. If the server rejects the token, the call is sent once more with a
 * new one.
 */
export async function callWithToken(
  connection: Connection,
  tokens: TokenSource,
  operation: Operation,
  input: AnyInput,
  options: CallOptions,
): Promise<AnyAnswer> {
  const request = encodeRequest(operation, input);
  const sendWith = (token: string): Promise<TransportResponse> =>
    send(connection, operation, request, `Bearer ${token}`, options);

  const token = await unlessAborted(() => tokens.get(), options.signal);
  const response = await sendWith(token);
  if (response.status !== 401) return settle(connection, operation, response);
  tokens.discard(token);
  // A stream can be read only once, so it cannot be sent again.
  if (request.body instanceof ReadableStream) return settle(connection, operation, response);
  const fresh = await unlessAborted(() => tokens.get(), options.signal);
  return settle(connection, operation, await sendWith(fresh));
}

/** Calls an operation that uses the client's credentials (`authorization`) or none. */
export async function callWithoutToken(
  connection: Connection,
  operation: Operation,
  input: AnyInput,
  options: CallOptions,
  authorization?: string,
): Promise<AnyAnswer> {
  const request = encodeRequest(operation, input);
  const response = await send(connection, operation, request, authorization, options);
  return settle(connection, operation, response);
}

function settle(
  { clock }: Connection,
  operation: Operation,
  response: TransportResponse,
): AnyAnswer {
  const status = effectiveStatus(operation, response);
  if (status < 200 || status > 299) throw refusalError(operation, response, clock);
  return decodeAnswer(operation, response);
}

async function send(
  connection: Connection,
  operation: Operation,
  request: EncodedRequest,
  authorization: string | undefined,
  { signal, timeoutMilliseconds = connection.timeoutMilliseconds }: CallOptions,
): Promise<TransportResponse> {
  const timeout =
    timeoutMilliseconds === Infinity ? undefined : AbortSignal.timeout(timeoutMilliseconds);
  const signals = [signal, timeout].filter((candidate) => candidate !== undefined);
  try {
    return await connection.transport({
      ...request,
      headers: {
        ...connection.headers,
        ...(operation.accept === null ? {} : { accept: operation.accept }),
        ...request.headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(request.body === undefined ||
        request.body instanceof FormData ||
        operation.bodyType === null
          ? {}
          : { "content-type": operation.bodyType }),
      },
      signal: AbortSignal.any(signals),
    });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (timeout?.aborted) {
      const message = `received no complete response within ${timeoutMilliseconds} ms`;
      throw new TimeoutError(failed(operation), message, { cause });
    }
    throw new NetworkError(failed(operation), `received no response: ${reason(cause)}`, { cause });
  }
}

/** The message of `fetch` is only "fetch failed"; the reason is in its cause. */
function reason(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error && thrown.cause.message !== ""
    ? thrown.cause.message
    : thrown.message;
}

/** An abort must not affect other callers that wait for the same token. */
async function unlessAborted<Value>(
  start: () => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return start();
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([start(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
