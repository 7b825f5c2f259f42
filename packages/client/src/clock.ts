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
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
        Math.min(milliseconds, maximumDelay),
      );
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    }),
};
