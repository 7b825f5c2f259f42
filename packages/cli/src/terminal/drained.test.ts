import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { drained } from "./drained.ts";

const full = () =>
  Object.assign(new EventEmitter(), { writableNeedDrain: true, write: () => false });

test("waits until the output can take more", async () => {
  const output = full();
  const { signal } = new AbortController();
  let isOver = false;
  const waited = drained(output, signal).then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  output.emit("drain");
  await waited;
  await drained({ write: () => true }, signal);
});

test("ends when the command is interrupted, or the output breaks", async () => {
  const controller = new AbortController();
  const reason = new Error("interrupted");
  const waited = drained(full(), controller.signal);
  controller.abort(reason);
  await expect(waited).rejects.toBe(reason);
  const broken = full();
  const ended = drained(broken, new AbortController().signal);
  broken.emit("error", new Error("closed"));
  await ended;
});
