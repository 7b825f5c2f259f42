import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { keepSignals } from "./keep-signals.ts";

function fakeProcess(terminal: boolean) {
  const emitter = Object.assign(new EventEmitter(), {
    stdin: { isTTY: terminal },
    stderr: { isTTY: false },
  });
  return { emitter, process: emitter as unknown as NodeJS.Process };
}

test("forwards each signal of a supervisor", () => {
  const { emitter, process } = fakeProcess(false);
  const signals = keepSignals(process);
  expect(signals.first).toBeUndefined();
  emitter.emit("SIGHUP", "SIGHUP");
  const forwarded: string[] = [];
  signals.forward((signal) => forwarded.push(signal));
  for (const signal of ["SIGINT", "SIGTERM", "SIGQUIT", "SIGTERM"]) emitter.emit(signal, signal);
  expect(signals.first).toBe("SIGHUP");
  expect(forwarded).toEqual(["SIGINT", "SIGTERM", "SIGQUIT", "SIGTERM"]);
});

test("leaves Ctrl-C to the terminal, which sends it to the program as well", () => {
  const { emitter, process } = fakeProcess(true);
  const signals = keepSignals(process);
  const forwarded: string[] = [];
  signals.forward((signal) => forwarded.push(signal));
  for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM"]) emitter.emit(signal, signal);
  expect(forwarded).toEqual(["SIGTERM"]);
});

test("lets signals end the process again after the release", () => {
  const { emitter, process } = fakeProcess(false);
  const signals = keepSignals(process);
  expect(emitter.listenerCount("SIGTERM")).toBe(1);
  signals.release();
  expect(emitter.eventNames()).toEqual([]);
});
