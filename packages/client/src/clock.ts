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

/** What waits with each signal. One listener serves all: Node.js 20 warns of a leak if a signal has more than ten. */
const waitingBySignal = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();

/** Rejects at an abort, which must not affect other callers that wait for the same work. */
export function unlessAborted<Value>(
  start: () => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return start();
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    let waiting = waitingBySignal.get(signal);
    if (waiting === undefined) {
      const rejects: Set<(reason: unknown) => void> = new Set();
      waitingBySignal.set(signal, (waiting = rejects));
      signal.addEventListener("abort", () => rejects.forEach((each) => each(signal.reason)));
    }
    waiting.add(reject);
    start()
      .then(resolve, reject)
      .finally(() => waiting.delete(reject));
  });
}
