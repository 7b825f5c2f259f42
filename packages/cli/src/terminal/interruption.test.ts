import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { interruption } from "./interruption.ts";

/** A process whose outputs are terminals or not. */
const fakeProcess = (outputs: { readonly stdout: boolean; readonly stderr: boolean }) => {
  const output = (isTTY: boolean) => Object.assign(new EventEmitter(), { isTTY });
  const parts = { stdout: output(outputs.stdout), stderr: output(outputs.stderr) };
  return Object.assign(new EventEmitter(), parts) as unknown as NodeJS.Process;
};

test.each([
  ["SIGINT", { stdout: false, stderr: false }, 130],
  ["SIGTERM", { stdout: false, stderr: false }, 143],
  ["SIGHUP", { stdout: true, stderr: false }, 129],
  ["SIGHUP", { stdout: false, stderr: true }, 129],
] as const)("%s interrupts a command with the terminals %j", (name, outputs, exitCode) => {
  const process = fakeProcess(outputs);
  const signal = interruption(process);
  process.emit(name, name);
  expect(signal.reason).toMatchObject({ exitCode });
});

test("SIGHUP keeps its default, or stays ignored, without a terminal", () => {
  const process = fakeProcess({ stdout: false, stderr: false });
  interruption(process);
  expect(process.listenerCount("SIGHUP")).toBe(0);
});
