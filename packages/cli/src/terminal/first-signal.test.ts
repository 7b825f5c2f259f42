import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { onFirstSignal } from "./first-signal.ts";

test("one Ctrl-C that arrives twice stops once, and a later one ends the process at once", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const exit = vi.fn<(code?: number | string | null) => never>();
  const process = Object.assign(new EventEmitter(), { exit });
  const stopped: number[] = [];
  onFirstSignal(process as unknown as NodeJS.Process, ["SIGINT", "SIGTERM"], (exitCode) =>
    stopped.push(exitCode),
  );
  process.emit("SIGINT");
  vi.advanceTimersByTime(500);
  process.emit("SIGTERM");
  expect([stopped, exit.mock.calls]).toEqual([[130], []]);
  vi.advanceTimersByTime(1);
  process.emit("SIGTERM");
  expect([stopped, exit.mock.calls]).toEqual([[130], [[143]]]);
});
