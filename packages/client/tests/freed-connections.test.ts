/** A response that nobody reads to its end would keep its connection, and the process, busy; one that was read, memory. */
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Client, FileCall, Hooks } from "../src/index.ts";
import { startFileServer } from "./support/file-server.ts";
import { failure, start } from "./support/scripted-client.ts";

const callOf = (client: Client): FileCall => client.container.downloadExport({ id: "a" });

const brokenHooks: Hooks = {
  onResponse: ({ operationId }) => {
    if (operationId !== "oauth2AccessToken") throw new Error("the hook is broken");
  },
};

test.each([
  ["cannot be written", (client: Client) => failure(callOf(client).toFile("/none/export.bin"))],
  ["is a page of a proxy", (client: Client) => failure(callOf(client)), "text/html"],
  [
    "is a stream that is cancelled before it is read",
    async (client: Client) => (await callOf(client).stream()).data.cancel(),
  ],
  ["has a hook that throws", (client: Client) => failure(callOf(client)), "text/csv", brokenHooks],
])("a download frees its connection if it %s", async (_, act, type = "text/csv", hooks = {}) => {
  let closed: Promise<unknown> | undefined;
  const server = await startFileServer((_request, response) => {
    closed = once(response, "close");
    response.writeHead(200, { "content-type": type });
    // More than the buffers on the way can take.
    response.write(Buffer.alloc(64 * 1024 * 1024));
  });
  await act(server.connect({ hooks }));
  await closed;
  expect(server.authorizations).toHaveLength(1);
});

test("a response that was read is not kept until the end of its time limit", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { client } = start();
  const responses: WeakRef<Response>[] = [];
  for (let call = 0; call < 10; call += 1) {
    const response = await client.ioc.getIndicators.raw({ ids: ["a"] });
    responses.push(new WeakRef(response));
    await response.text();
  }
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  // The engine may still refer to the last ones.
  expect(responses.filter((each) => each.deref() !== undefined).length).toBeLessThan(5);
});
