import * as timers from "./timers.ts";

interface Options {
  readonly signal?: AbortSignal | undefined;
  /** Whether the timer keeps the process alive; a page ignores it. */
  readonly ref?: boolean;
}

export const setImmediate = <Value>(value?: Value): Promise<Value | undefined> =>
  new Promise((resolve) => {
    timers.setImmediate(() => resolve(value));
  });

export const setTimeout = <Value>(
  milliseconds?: number,
  value?: Value,
  { signal }: Options = {},
): Promise<Value | undefined> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      timers.clearTimeout(timer);
      reject(
        Object.assign(new Error("The operation was aborted", { cause: signal?.reason }), {
          name: "AbortError",
          code: "ABORT_ERR",
        }),
      );
    };
    const timer = timers.setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    }, milliseconds);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
