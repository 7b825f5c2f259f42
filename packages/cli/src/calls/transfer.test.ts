import { EventEmitter } from "node:events";
import type { FileCall } from "@security-platform/client";
import { expect, test } from "vitest";
import { exitCodes } from "../terminal/exit-codes.ts";
import { silentContext } from "../testing/silent-context.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { printFile, saveFile } from "./transfer.ts";

test("a folder cannot be saved to, and other errors are not blamed on the command line", async () => {
  const workingFolder = temporaryFolder();
  const broken = () => {
    throw new TypeError("broken");
  };
  await expect(saveFile(broken, ".", { ...silentContext, workingFolder })).rejects.toMatchObject({
    exitCode: exitCodes.usage,
    message: `cannot write ${workingFolder}: it is not a file; add the name of the file`,
  });
  await expect(saveFile(broken, "a", { ...silentContext, workingFolder })).rejects.toBeInstanceOf(
    TypeError,
  );
});

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
    { ...silentContext, stdout },
  );
  for (let count = 1; count <= chunks.length; count += 1) {
    await expect.poll(() => stdout.listenerCount("drain")).toBe(1);
    expect([received, written]).toEqual([count, "abc".slice(0, count)]);
    stdout.emit("drain");
  }
  await finished;
});
