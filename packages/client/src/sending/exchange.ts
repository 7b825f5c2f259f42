import { decodeAnswer, readRateLimit, receive, type Answer } from "../wire/answer.ts";
import type { CallOptions } from "./call-options.ts";
import type { Clock } from "../clock.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import type { EncodedRequest } from "../wire/encode.ts";
import {
  CallError,
  failedOperation,
  NetworkError,
  TimeoutError,
  type FailedOperation,
} from "../wire/errors.ts";
import type { Hooks, RequestEvent, RetryEvent } from "./hooks.ts";
import type { Pace, Slots } from "./limits.ts";
import { effectiveStatus, readRetryAfter, refusalError } from "../wire/refusal.ts";
import { backOff, isRepeatable, isRetryable } from "./retries.ts";
import type { Transport } from "../wire/transport.ts";

/** State shared by all calls of a connection. */
export interface Line {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hooks: Hooks;
  readonly slots: Slots;
  readonly pace: Pace;
  readonly timeoutMilliseconds: number;
  readonly retries: number;
  readonly retryWithinMilliseconds: number;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The number of the next call. */
  readonly nextCall: () => number;
}

/** The `Authorization` of a request. */
export interface Authorization {
  get(): Promise<string | undefined>;
  /** Discards a value that the server rejected. False if there is no other. */
  discard(value: string): boolean;
}

/** A call that is ready to be sent. */
export interface Outgoing {
  readonly descriptor: Descriptor;
  readonly request: EncodedRequest;
  readonly options: CallOptions;
  readonly authorization: Authorization;
}

/** The answer of a call. Rejects with a `CallError`, or with the reason of the call's signal. */
export const exchangeAnswer = (line: Line, outgoing: Outgoing): Promise<Answer<unknown>> =>
  exchange(line, outgoing, async (response, attempt) => {
    const { descriptor } = outgoing;
    const received = await attempt.guard(() => receive(descriptor, response));
    const status = effectiveStatus(descriptor, received);
    if (status < 200 || status > 299) {
      throw refusalError(descriptor, received, line.clock, attempt.number);
    }
    return decodeAnswer(descriptor, received);
  });

/** The last response of a call, with any status and an unread body. */
export const exchangeResponse = (line: Line, outgoing: Outgoing): Promise<Response> =>
  exchange(line, outgoing, async (response) => response);

/** One request of a call. */
interface Attempt {
  /** From 1. */
  readonly number: number;
  /** Turns an error of `fetch` into a `NetworkError`. */
  guard<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** Why a request is repeated. */
type Retry = Pick<RetryEvent, "status" | "cause" | "waitMilliseconds">;

/** Sends a request until it succeeds or may not be repeated, and reads its last response. */
async function exchange<Result>(
  line: Line,
  outgoing: Outgoing,
  read: (response: Response, attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const { clock, hooks, random, pace, slots } = line;
  const { descriptor, request, options, authorization } = outgoing;
  const { signal, retries = line.retries } = options;
  const { id: operationId, method, path } = descriptor;
  const call = line.nextCall();
  const now = (): number => clock.now().getTime();
  const began = now();
  const deadline = began + (options.retryWithinMilliseconds ?? line.retryWithinMilliseconds);
  // A stream can be read only once, so it cannot be sent again.
  const canRepeat = !(request.body instanceof ReadableStream);
  let renewed = false;
  let retried = 0;

  const waitBefore = (atLeastSeconds = 0): number | undefined => {
    const wait = Math.max(atLeastSeconds * 1_000, backOff(retried + 1, random));
    return canRepeat && retried < retries && now() + wait < deadline ? wait : undefined;
  };
  const afterResponse = ({ status, headers }: Response): Retry | undefined => {
    const retryAfter = readRetryAfter(headers, clock);
    if (!isRetryable(descriptor, status, retryAfter)) return undefined;
    const waitMilliseconds = waitBefore(retryAfter);
    return waitMilliseconds === undefined
      ? undefined
      : { status, cause: undefined, waitMilliseconds };
  };
  const afterError = (error: unknown): Retry | undefined => {
    if (!(error instanceof NetworkError) || !isRepeatable(descriptor, error.cause))
      return undefined;
    const waitMilliseconds = waitBefore();
    return waitMilliseconds === undefined
      ? undefined
      : { status: undefined, cause: error.cause, waitMilliseconds };
  };

  for (let number = 1; ; number += 1) {
    const credentials = await unlessAborted(() => authorization.get(), signal);
    await pace.wait(signal);
    const release = await slots.take(signal);
    const startedAt = clock.now();
    const event: RequestEvent = { call, operationId, method, path, attempt: number, startedAt };
    const limit = timeLimit(options.timeoutMilliseconds ?? line.timeoutMilliseconds);
    const attempt: Attempt = {
      number,
      guard: async (work) => {
        try {
          return await work();
        } catch (cause) {
          if (signal?.aborted === true) throw signal.reason;
          throw limit.error(failedOperation(descriptor, number), cause);
        }
      },
    };
    let retry: Retry | undefined;
    try {
      const response = await sendOnce(line, outgoing, credentials, event, attempt, limit.signal);
      const isRejected = response.status === 401 && credentials !== undefined && !renewed;
      if (isRejected && authorization.discard(credentials) && canRepeat) {
        renewed = true;
        await response.body?.cancel();
        continue;
      }
      retry = afterResponse(response);
      if (retry === undefined) return await read(response, attempt);
      await response.body?.cancel();
    } catch (error) {
      retry = afterError(error);
      if (retry === undefined) {
        const milliseconds = now() - began;
        if (error instanceof CallError) hooks.onError?.({ ...event, error, milliseconds });
        throw error;
      }
    } finally {
      limit.clear();
      release();
    }
    retried += 1;
    hooks.onRetry?.({ ...event, ...retry });
    await clock.sleep(retry.waitMilliseconds, signal);
  }
}

async function sendOnce(
  { transport, hooks, headers, clock, pace }: Line,
  { request, options }: Outgoing,
  authorization: string | undefined,
  event: RequestEvent,
  attempt: Attempt,
  limit: AbortSignal,
): Promise<Response> {
  const { idempotencyKey, signal } = options;
  const added = hooks.onRequest?.(event);
  const response = await attempt.guard(() =>
    transport({
      ...request,
      headers: {
        ...options.headers,
        ...added,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        ...headers,
        ...request.headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    }),
  );
  pace.observe(readRateLimit(response.headers));
  hooks.onResponse?.({
    ...event,
    status: response.status,
    milliseconds: clock.now().getTime() - event.startedAt.getTime(),
    traceId: response.headers.get("x-trace-id") ?? undefined,
  });
  return response;
}

/** A signal that aborts after this time, and the error of a request that failed. */
function timeLimit(milliseconds: number) {
  const controller = new AbortController();
  const { signal } = controller;
  const timer =
    milliseconds === Infinity ? undefined : setTimeout(() => controller.abort(), milliseconds);
  return {
    signal,
    clear: () => clearTimeout(timer),
    error: (operation: FailedOperation, cause: unknown): NetworkError =>
      signal.aborted
        ? new TimeoutError(operation, `received no complete response within ${milliseconds} ms`, {
            cause,
          })
        : new NetworkError(operation, `received no response: ${reason(cause)}`, { cause }),
  };
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
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
  });
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([start(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
