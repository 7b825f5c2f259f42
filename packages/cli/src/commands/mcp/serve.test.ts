import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { silentContext } from "../../testing/silent-context.ts";
import { serveMcp } from "./serve.ts";

test("responses are not written faster than the host reads", async () => {
  const stdin = new PassThrough();
  const written: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    writableNeedDrain: true,
    write: (chunk: string | Uint8Array) =>
      written.push(Buffer.from(chunk as Uint8Array).toString()),
  });
  const served = serveMcp({ data: ".data" }, { ...silentContext, stdin, stdout });
  for (const id of [1, 2])
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
  for (const count of [1, 2]) {
    await expect.poll(() => stdout.listenerCount("drain")).toBe(1);
    expect(written).toHaveLength(count);
    stdout.emit("drain");
  }
  stdin.end();
  await served;
});
