import type { LoggerOptions } from "pino";

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

/** One of several processes that share a log output. `number` starts at 1. */
export interface LogShare {
  readonly number: number;
  readonly count: number;
}

/** The system's clock and timers. Tests replace them. */
export interface OutageTime {
  /** Milliseconds. */
  now(): number;
  /** Runs `work` after this many milliseconds, unless the process ends first. */
  later(work: () => void, milliseconds: number): void;
}

const systemTime: OutageTime = {
  now: () => Date.now(),
  later: (work, milliseconds) => void setTimeout(work, milliseconds).unref(),
};

const lineMilliseconds = 1_000;

/**
 * While the database is unavailable, every request and job fails with an error that has `isOutage`. At most
 * one such error is logged per second, with the number of errors that were left out before it. With several
 * processes, each one logs in its own seconds; in other seconds, a line waits for the next of them.
 */
export function outageLines(
  { number, count }: LogShare = { number: 1, count: 1 },
  time: OutageTime = systemTime,
): LogMethod {
  let latest = -1;
  let leftOut = 0;
  let waiting: (() => void) | null = null;
  const secondNow = (): number => Math.floor(time.now() / lineMilliseconds);
  const isFree = (second: number): boolean => second > latest && second % count === number - 1;
  const untilFree = (): number => {
    let second = secondNow();
    while (!isFree(second)) second += 1;
    return Math.max(1, second * lineMilliseconds - time.now());
  };
  const writeWaiting = (): void => {
    if (waiting === null) return;
    if (isFree(secondNow())) waiting();
    else time.later(writeWaiting, untilFree());
  };
  return function log(args, method) {
    const [details, ...rest] = args as [unknown, ...unknown[]];
    const { err } = (details ?? {}) as { readonly err?: { readonly isOutage?: boolean } };
    if (err?.isOutage !== true) {
      method.apply(this, args);
      return;
    }
    const write = (): void => {
      const counted = leftOut === 0 ? details : { ...(details as object), left_out: leftOut };
      latest = secondNow();
      leftOut = 0;
      waiting = null;
      method.apply(this, [counted, ...rest] as unknown as typeof args);
    };
    if (waiting !== null) {
      leftOut += 1;
    } else if (isFree(secondNow())) {
      write();
    } else {
      waiting = write;
      time.later(writeWaiting, untilFree());
    }
  };
}
