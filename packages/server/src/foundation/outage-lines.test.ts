import { pino, type Logger } from "pino";
import { expect, test } from "vitest";
import { outageLines, type LogShare } from "./outage-lines.ts";

interface Line {
  readonly worker: number;
  readonly second: number;
  readonly left_out?: number;
  readonly err: { readonly message: string };
}

/** Loggers of several processes that share a clock and an output. */
function processes(count: number) {
  let now = 10_000;
  const timers: { readonly at: number; readonly work: () => void }[] = [];
  const lines: Line[] = [];
  const time = {
    now: () => now,
    later: (work: () => void, milliseconds: number) => {
      timers.push({ at: now + milliseconds, work });
    },
  };
  const loggerOf = (share: LogShare): Logger =>
    pino(
      { base: { worker: share.number }, hooks: { logMethod: outageLines(share, time) } },
      {
        write: (line) => {
          lines.push({ ...(JSON.parse(line) as Line), second: Math.floor(now / 1_000) });
        },
      },
    );
  const loggers = Array.from({ length: count }, (_, index) =>
    loggerOf({ number: index + 1, count }),
  );
  const advance = (milliseconds: number): void => {
    const end = now + milliseconds;
    for (;;) {
      const next = timers.toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > end) break;
      timers.splice(timers.indexOf(next), 1);
      now = next.at;
      next.work();
    }
    now = end;
  };
  return { loggers, lines, advance };
}

const away = Object.assign(new Error("away"), { isOutage: true });
const messageCount = (lines: readonly Line[]): number =>
  lines.reduce((total, { left_out = 0 }) => total + 1 + left_out, 0);

test.each([1, 2, 5])(
  "the logs of %i processes have one line a second during an outage, and count every error",
  (count) => {
    const { loggers, lines, advance } = processes(count);
    const steps = 400;
    for (let step = 0; step < steps; step += 1) {
      for (const logger of loggers) {
        logger.error({ err: away }, "request failed");
        logger.warn({ err: away }, "a job failed");
      }
      advance(25);
    }
    const seconds = lines.map(({ second }) => second);
    expect(new Set(seconds).size).toBe(seconds.length);
    expect(lines.length).toBeGreaterThanOrEqual(10 - count);
    expect(new Set(lines.map(({ worker }) => worker)).size).toBe(count);
    advance(10_000);
    expect(messageCount(lines)).toBe(2 * steps * count);
  },
);

test("a single error of a process is logged within a second", () => {
  const { loggers, lines, advance } = processes(3);
  for (const logger of loggers) logger.error({ err: away }, "request failed");
  advance(3_000);
  expect(lines.map(({ worker }) => worker).toSorted()).toEqual([1, 2, 3]);
  expect(messageCount(lines)).toBe(3);
});

test("other errors are logged at once", () => {
  const { loggers, lines } = processes(1);
  for (let each = 0; each < 3; each += 1) {
    loggers[0]?.error({ err: away }, "request failed");
    loggers[0]?.error({ err: new Error("another") }, "request failed");
  }
  expect(lines.map(({ err }) => err.message)).toEqual(["away", "another", "another", "another"]);
});
