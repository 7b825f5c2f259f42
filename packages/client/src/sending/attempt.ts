import { describeFailure, neverConnected } from "#failures";
import { unlessAborted } from "../clock.ts";
import { NetworkError, TimeoutError, type Failure } from "../wire/errors.ts";
import type { Call } from "./call.ts";
import { mayHaveActed } from "./retries.ts";

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
  /** Keeps the time limit after `stop`, because the caller reads the body. */
  keep(): void;
  /** The call, for the error if it fails now. */
  failed(): Failure;
}

/** Counts a request of the call, and starts its time limit. */
export function startAttempt(call: Call): Attempt {
  const { parts, descriptor, options, failed } = call;
  const { signal: caller, timeoutMilliseconds: milliseconds = parts.timeoutMilliseconds } = options;
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
  call.start();
  restart();
  return {
    signal,
    guard: <Value>(work: () => Promise<Value>, status?: number) =>
      unlessAborted(
        () =>
          new Promise<Value>((resolve, reject) => {
            end = reject;
            work().then(resolve, reject);
          }),
        caller,
      ).catch((cause: unknown) => {
        if (caller?.aborted === true) throw caller.reason;
        if (status === undefined)
          call.mayHaveActed ||= !neverConnected(cause) && mayHaveActed(descriptor);
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
