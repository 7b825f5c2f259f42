import { EventEmitter } from "node:events";
import type { FileCall } from "@security-platform/client";
import { expect, test } from "vitest";
import { noSignals } from "../terminal/keep-signals.ts";
import { printFile } from "./transfer.ts";

test("a download is not faster than the reader of standard output", async () => {
  const chunks = ["a", "b", "c"];
  let received = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = chunks[received];
        received += 1;
        if (chunk === undefined) controller.close();
        else controller.enqueue(Buffer.from(chunk));
      },
    },
    { highWaterMark: 0 },
  );
  let written = "";
  const stdout = Object.assign(new EventEmitter(), {
    writableNeedDrain: true,
    write: (chunk: string | Uint8Array) => (written += Buffer.from(chunk as Uint8Array)),
  });
  const finished = printFile(
    () => ({ stream: () => Promise.resolve({ data: stream }) }) as unknown as FileCall,
    {
      stdin: (async function* () {})(),
      stdout,
      stderr: { write: () => true },
      environment: {},
      workingFolder: "/",
      stopRequested: () => Promise.resolve(),
      interruption: () => new AbortController().signal,
      signals: noSignals,
      onHangUp: () => undefined,
    },
  );
  for (let count = 1; count <= chunks.length; count += 1) {
    await expect.poll(() => stdout.listenerCount("drain")).toBe(1);
    expect([received, written]).toEqual([count, "abc".slice(0, count)]);
    stdout.emit("drain");
  }
  await finished;
});
