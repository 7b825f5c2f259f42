/** The source of time; tests pass their own. */
export interface Clock {
  now(): Date;
  /** Resolves after this time, or rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The maximum delay of a timer is 31 bits, which is 24 days; longer ones fire at once. */
export const maximumDelay = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): Promise<void> =>
      new Promise((resolve) => {
        timer = setTimeout(resolve, Math.min(milliseconds, maximumDelay));
      });
    return unlessAborted(wait, signal).finally(() => clearTimeout(timer));
  },
};

/** Rejects at an abort, which must not affect other callers that wait for the same work. */
export function unlessAborted<Value>(
  start: () => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return start();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const end = (): void => signal.removeEventListener("abort", abort);
    start().then(resolve, reject).finally(end);
  });
}
