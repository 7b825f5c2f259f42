import { describeFailure, neverConnected } from "#failures";
import {
  decodeAnswer,
  effectiveStatus,
  readResponse,
  receive,
  type Answer,
} from "../wire/answer.ts";
import type { CallOptions } from "./call-options.ts";
import { unlessAborted, type Clock } from "../clock.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import type { EncodedRequest } from "../wire/encode.ts";
import {
  CallError,
  failedOperation,
  NetworkError,
  TimeoutError,
  type Failure,
} from "../wire/errors.ts";
import type { Hooks, RequestEvent, RetryEvent } from "./hooks.ts";
import type { Pace, Slots } from "./limits.ts";
import { readRetryAfter } from "../wire/retry-after.ts";
import type { ResponseInfo } from "../wire/response-info.ts";
import { backOff, idempotencyKeyOf, isRetryable, mayHaveActed } from "./retries.ts";
import type { refusalError } from "../wire/refusal.ts";
import type { HeaderValues, Send, Transport } from "../wire/transport.ts";

/** State shared by all calls of a connection. */
export interface Line {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly send: Send;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hooks: Hooks;
  readonly slots: Slots;
  readonly pace: Pace;
  readonly timeoutMilliseconds: number;
  readonly retries: number;
  readonly retryWithinMilliseconds: number;
  readonly idempotencyKeys: boolean;
  /** Headers of every request. */
  readonly headers: HeaderValues;
}

/** The `Authorization` of a request. */
export interface Authorization {
  get(): string | undefined | Promise<string | undefined>;
  /** Discards a value that the server rejected. False if there is no other. */
  discard(value: string): boolean;
}

/** A body that sends itself, because it is opened for each request. */
export interface StreamedBody {
  /** Sends a call with this body by `exchange`. */
  send<Result>(line: Line, outgoing: Outgoing, exchange: Exchange<Result>): Promise<Result>;
}

/** Sends a call, and reads its response. */
export type Exchange<Result> = (line: Line, outgoing: Outgoing) => Promise<Result>;

/** A call that is ready to be sent. */
export interface Outgoing {
  readonly descriptor: Descriptor;
  readonly request: EncodedRequest;
  readonly options: CallOptions;
  readonly authorization: Authorization;
}

/** The answer of a call. Rejects with a `CallError`, or with the reason of the call's signal. */
export const exchangeAnswer = (line: Line, outgoing: Outgoing): Promise<Answer<unknown>> =>
  exchange(line, outgoing, async (response, attempt, info) => {
    const { descriptor } = outgoing;
    const received = await attempt.guard(() => receive(response, info), info.status);
    const status = effectiveStatus(descriptor, received);
    const isSuccess = status >= 200 && status < 300;
    const answer = isSuccess ? decodeAnswer(descriptor, received) : undefined;
    return answer ?? refuse(descriptor, received, line.clock, attempt.failed());
  });

/** The error of a response. Its code is loaded now: a program may never need it. */
const refuse = (...parameters: Parameters<typeof refusalError>): Promise<never> =>
  import("../wire/refusal.ts").then(
    (loaded) => {
      throw loaded.refusalError(...parameters);
    },
    // The files of a page may be gone, if it was opened before the last release of its site.
    (cause) => {
      const [, { response }, , call] = parameters;
      throw new NetworkError(
        call,
        `failed with status ${response.status}, and its description was not loaded`,
        { cause },
      );
    },
  );

/** The last response of a call, with any status and an unread body, which the time limit includes. */
export const exchangeResponse = (line: Line, outgoing: Outgoing): Promise<Response> =>
  exchange(line, outgoing, async (response, attempt) => {
    attempt.keep();
    return response;
  });

/** One request of a call, with its time limit. */
export interface Attempt {
  /** Aborted when the time is over, and by `abort`. */
  readonly signal: AbortSignal;
  /**
   * Turns an error of `fetch` into a `NetworkError`. The status is that of the response, if there is one. Rejects at
   * an abort, which `fetch` of Node.js may miss after a garbage collection. One work at a time.
   */
  guard<Value>(work: () => Promise<Value>, status?: number): Promise<Value>;
  /** Starts the time limit anew, for the next piece of a file. */
  restart(): void;
  /** Stops the time limit. */
  stop(): void;
  /** Ends the request. */
  abort(): void;
  /** Goes on in spite of `stop`, because the caller reads the body. */
  keep(): void;
  /** The call, for the error if it fails now. */
  failed(): Failure;
}

/** Why a request is repeated. */
type Retry = Pick<RetryEvent, "status" | "cause" | "waitMilliseconds">;

/** The number of calls in this process. */
let calls = 0;

/** Sends a request until it succeeds or may not be repeated, and reads its last response. */
export async function exchange<Result>(
  line: Line,
  outgoing: Outgoing,
  read: (response: Response, attempt: Attempt, info: ResponseInfo) => Promise<Result>,
): Promise<Result> {
  const { clock, hooks, random, pace, slots } = line;
  const { descriptor, request, options, authorization } = outgoing;
  const { id: operationId, method, path } = descriptor;
  const {
    signal,
    retryWithinMilliseconds = line.retryWithinMilliseconds,
    timeoutMilliseconds = line.timeoutMilliseconds,
  } = options;
  // All attempts have the same key, so the server acts once.
  const idempotencyKey = idempotencyKeyOf(line, descriptor, options);
  /** Whether a repeated request has no further effect (RFC 9110 §9.2.2). `keyed` of a form changes. */
  const isRepeatable = (): boolean => !descriptor.keyed || idempotencyKey !== undefined;
  const call = (calls += 1);
  const now = (): number => clock.now().getTime();
  let startedAt = clock.now();
  /** Number of requests so far. */
  let attempts = 0;
  const began = startedAt.getTime();
  const deadline = began + retryWithinMilliseconds;
  const event = (): RequestEvent => ({
    call,
    operationId,
    method,
    baseUrl: line.baseUrl,
    path,
    attempt: attempts,
    startedAt,
  });
  let renewed = false;
  let retried = 0;
  let acted = false;

  const retryAfter = (
    isAllowed: boolean,
    reason: Pick<RetryEvent, "status" | "cause">,
    atLeastSeconds = 0,
  ): Retry | undefined => {
    const waitMilliseconds = Math.max(atLeastSeconds * 1_000, backOff(retried + 1, random));
    // Read here, because the body of an upload may turn out not to be repeatable.
    const isPossible = isAllowed && retried < (options.retries ?? line.retries);
    return isPossible && now() + waitMilliseconds < deadline
      ? { ...reason, waitMilliseconds }
      : undefined;
  };
  const afterResponse = (status: number, seconds: number | undefined): Retry | undefined => {
    const isAllowed = isRetryable(isRepeatable(), status, seconds);
    return retryAfter(isAllowed, { status, cause: undefined }, seconds);
  };
  const afterError = (error: unknown): Retry | undefined =>
    error instanceof NetworkError
      ? retryAfter(isRepeatable() || neverConnected(error.cause), {
          status: undefined,
          cause: error.cause,
        })
      : undefined;

  const fail = (error: unknown): never => {
    if (error instanceof CallError) {
      hooks.onError?.({ ...event(), error, milliseconds: now() - began });
    }
    throw error;
  };

  for (;;) {
    let credentials: string | undefined;
    try {
      // Usually there is a token, and nothing to wait for.
      credentials = await (signal === undefined
        ? authorization.get()
        : unlessAborted(async () => authorization.get(), signal));
    } catch (cause) {
      // The error of the token request knows nothing of the earlier attempts.
      if (!acted || !(cause instanceof CallError)) return fail(cause);
      const earlier = failedOperation(descriptor, attempts, acted);
      return fail(new NetworkError(earlier, `was not retried: ${cause.message}`, { cause }));
    }
    await pace.wait(signal);
    await slots.take(signal);
    startedAt = clock.now();
    attempts += 1;
    const elapsed = (): number => now() - startedAt.getTime();
    const failed = (): Failure => failedOperation(descriptor, attempts, acted);
    const onLost = (cause: unknown): void => {
      acted ||= !neverConnected(cause) && mayHaveActed(descriptor);
    };
    const attempt = startAttempt(timeoutMilliseconds, signal, failed, onLost);
    let retry: Retry | undefined;
    let status: number | undefined;
    let failure: unknown;
    try {
      const added = hooks.onRequest?.(event()) as HeaderValues | undefined;
      const own = { "idempotency-key": idempotencyKey, authorization: credentials };
      const send = line.transport({
        ...request,
        headers: [options.headers, added, own, line.headers, request.headers],
        restartLimit: attempt.restart,
        signal: signal === undefined ? attempt.signal : AbortSignal.any([signal, attempt.signal]),
      });
      const response = await attempt.guard(send);
      const info = readResponse(response);
      ({ status } = info);
      pace.observe(info.rateLimit);
      const { traceId } = info;
      hooks.onResponse?.({ ...event(), status, milliseconds: elapsed(), traceId });
      const seconds = (): number | undefined => readRetryAfter(response.headers, clock);
      acted ||= mayHaveActed(descriptor, status, seconds);
      const isRejected = status === 401 && !renewed;
      if (isRejected && credentials !== undefined && authorization.discard(credentials)) {
        renewed = true;
        await response.body?.cancel();
        continue;
      }
      if (!response.ok) retry = afterResponse(status, seconds());
      if (retry === undefined) return await read(response, attempt, info);
      await response.body?.cancel();
    } catch (error) {
      failure = error;
      retry = afterError(error);
      // A body that nobody reads would keep its connection, and the process, busy.
      attempt.abort();
    } finally {
      attempt.stop();
      slots.release();
      hooks.onEnd?.({ ...event(), status, error: failure, milliseconds: elapsed() });
    }
    if (retry === undefined) return fail(failure);
    retried += 1;
    hooks.onRetry?.({ ...event(), ...retry });
    await clock.sleep(retry.waitMilliseconds, signal);
  }
}

/**
 * Starts the time limit of a request. `failed` describes the call, and `onLost` is told the error of a request without
 * a response.
 */
function startAttempt(
  milliseconds: number,
  caller: AbortSignal | undefined,
  failed: () => Failure,
  onLost: (cause: unknown) => void,
): Attempt {
  const controller = new AbortController();
  const { signal } = controller;
  const expired = (cause?: unknown): TimeoutError =>
    new TimeoutError(
      failed(),
      `received no complete response within ${milliseconds} ms; raise timeoutMilliseconds`,
      { cause },
    );
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: ((reason: unknown) => void) | undefined;
  const abort = (reason?: unknown): void => {
    controller.abort(reason);
    end?.(signal.reason);
  };
  const stop = (): void => clearTimeout(timer);
  const restart = (): void => {
    stop();
    if (milliseconds === Infinity) return;
    timer = setTimeout(() => abort(expired()), milliseconds);
  };
  restart();
  const run = <Value>(work: () => Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      end = reject;
      work().then(resolve, reject);
    });
  return {
    signal,
    guard: (work, status) =>
      unlessAborted(() => run(work), caller).catch((cause: unknown) => {
        if (caller?.aborted === true) throw caller.reason;
        if (status === undefined) onLost(cause);
        if (signal.aborted) throw expired(cause);
        const what =
          status === undefined
            ? "received no response"
            : `lost the response after status ${status}`;
        throw new NetworkError(failed(), `${what}: ${describeFailure(cause)}`, { cause });
      }),
    restart,
    stop,
    abort,
    keep: () => {
      // It must not keep the process alive. In browsers, timers are numbers.
      (timer as { unref?: () => void } | undefined)?.unref?.();
      timer = undefined;
      // It leads to the response, which the timer would retain.
      end = undefined;
    },
    failed,
  };
}
