import {
  decodeAnswer,
  effectiveStatus,
  readResponse,
  receive,
  type Answer,
} from "../wire/answer.ts";
import { unlessAborted } from "../clock.ts";
import { CallError, NetworkError } from "../wire/errors.ts";
import type { ResponseInfo } from "../wire/response-info.ts";
import { readRetryAfter } from "../wire/retry-after.ts";
import type { HeaderValues } from "../wire/transport.ts";
import { startAttempt, type Attempt } from "./attempt.ts";
import { newCall, type Call } from "./call.ts";
import type { Outgoing, SharedParts } from "./outgoing.ts";
import { mayHaveActed } from "./retries.ts";
import { retryAfter, type Retry } from "./retry-policy.ts";

/** The answer of a call. Rejects with a `CallError`, or with the reason of the call's signal. */
export const exchangeAnswer = (parts: SharedParts, outgoing: Outgoing): Promise<Answer<unknown>> =>
  exchange(parts, outgoing, async (response, attempt, info) => {
    const { descriptor } = outgoing;
    const received = await attempt.guard(() => receive(response, info), info.status);
    const status = effectiveStatus(descriptor, received);
    if (status >= 200 && status < 300) {
      const answer = decodeAnswer(descriptor, received);
      if (answer !== undefined) return answer;
    }
    // Loaded now: a program may never need it. Its file may be gone since the last release of a site.
    const { refusalError } = await attempt.guard(() => import("../wire/refusal.ts"), info.status);
    throw refusalError(descriptor, received, parts.clock, attempt.failed());
  });

/** The last response of a call, with any status and an unread body, which the time limit includes. */
export const exchangeResponse = (parts: SharedParts, outgoing: Outgoing): Promise<Response> =>
  exchange(parts, outgoing, async (response, attempt) => {
    attempt.keep();
    return response;
  });

/** Reads the last response of a call. */
type Read<Result> = (response: Response, attempt: Attempt, info: ResponseInfo) => Promise<Result>;

/** Sends requests until one succeeds or may not be repeated, and reads the last response. */
export function exchange<Result>(
  parts: SharedParts,
  outgoing: Outgoing,
  read: Read<Result>,
): Promise<Result> {
  const call = newCall(parts, outgoing);
  return send(call, read).catch((error: unknown) => {
    if (error instanceof CallError) {
      parts.hooks.onError?.({ ...call.event(), milliseconds: call.elapsed(), error });
    }
    throw error;
  });
}

async function send<Result>(call: Call, read: Read<Result>): Promise<Result> {
  const { clock, hooks, pace, slots } = call.parts;
  const { signal } = call.options;
  let isRenewed = false;
  for (;;) {
    const credentials = await authorize(call);
    await pace.wait(signal);
    await slots.take(signal);
    const attempt = startAttempt(call);
    let status: number | undefined;
    let retry: Retry | undefined;
    let failure: unknown;
    try {
      const response = await attempt.guard(prepare(call, credentials, attempt));
      const info = readResponse(response);
      ({ status } = info);
      pace.observe(info.rateLimit);
      hooks.onResponse?.({
        ...call.event(),
        milliseconds: call.elapsed(true),
        status,
        traceId: info.traceId,
      });
      const seconds = response.ok ? undefined : readRetryAfter(response.headers, clock);
      call.mayHaveActed ||= mayHaveActed(call.descriptor, status, seconds);
      // A rejected token is replaced once, at once.
      const isReplaced =
        status === 401 &&
        !isRenewed &&
        credentials !== undefined &&
        call.authorization.discard(credentials);
      if (isReplaced) isRenewed = true;
      else {
        if (!response.ok) retry = retryAfter(call, undefined, status, seconds);
        if (retry === undefined) return await read(response, attempt, info);
      }
      await response.body?.cancel();
    } catch (error) {
      failure = error;
      if (error instanceof NetworkError) {
        retry = retryAfter(call, error.cause);
      }
      // A body that nobody reads would keep its connection, and the process, busy.
      attempt.abort();
      if (retry === undefined) throw error;
    } finally {
      attempt.stop();
      slots.release();
      hooks.onEnd?.({
        ...call.event(),
        milliseconds: call.elapsed(true),
        status,
        error: failure,
      });
    }
    if (retry !== undefined) {
      hooks.onRetry?.({ ...call.event(), ...retry });
      await clock.sleep(retry.waitMilliseconds, signal);
    }
  }
}

/** The `Authorization` of the next request. */
async function authorize(call: Call): Promise<string | undefined> {
  const { authorization, options } = call;
  try {
    return await unlessAborted(async () => authorization.get(), options.signal);
  } catch (cause) {
    // The error of the token request knows nothing of the earlier requests.
    if (!call.mayHaveActed || !(cause instanceof CallError)) throw cause;
    throw new NetworkError(call.failed(), `was not retried: ${cause.message}`, { cause });
  }
}

/** The request as a function that sends it. */
function prepare(call: Call, authorization: string | undefined, { signal, restart }: Attempt) {
  const { parts, request, options, idempotencyKey } = call;
  return parts.transport({
    ...request,
    headers: [
      options.headers,
      parts.hooks.onRequest?.(call.event()) as HeaderValues | undefined,
      { "idempotency-key": idempotencyKey, authorization },
      parts.headers,
      request.headers,
    ],
    restartLimit: restart,
    signal: options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]),
  });
}
