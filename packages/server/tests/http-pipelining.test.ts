import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startSmallApp, type SmallOperation } from "./support/small-app.ts";

const nothing = { kind: "records" as const, records: [] };

async function connectTo(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

const requests = (path: string, count: number): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(count);

const lastRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;

test("of many pipelined requests few are in work, and all are answered in their order", async () => {
  let inWork = 0;
  let most = 0;
  let begun = 0;
  const counted: SmallOperation = {
    handle: async () => {
      inWork += 1;
      begun += 1;
      most = Math.max(most, inWork);
      await new Promise((resolve) => setImmediate(resolve));
      inWork -= 1;
      return { kind: "records", records: [String(begun)] };
    },
  };
  const { url } = await startSmallApp({ counted }, { limits: { requestsInWork: 1_000 } });
  const socket = await connectTo(url);
  const count = 5_000;
  socket.write(requests("/counted", count - 1) + lastRequest("/counted"));
  const all = await text(socket);
  expect(all.match(/HTTP\/1\.1 200/g)).toHaveLength(count);
  expect(begun).toBe(count);
  expect(most).toBeLessThanOrEqual(16);
});

test("requests behind one without an answer wait on their connection, and are gone with it", async () => {
  let begun = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: SmallOperation = {
    handle: async () => {
      begun += 1;
      await promise;
      return nothing;
    },
  };
  const other: SmallOperation = { handle: () => nothing };
  const { url, connections } = await startSmallApp(
    { held, other },
    { limits: { requestsInWork: 1_000 } },
  );
  const socket = await connectTo(url);
  socket.write(requests("/held", 5_000));
  await expect.poll(() => begun).toBe(16);
  // Another connection is served.
  expect((await fetch(`${url}/other`)).status).toBe(200);
  expect(begun).toBe(16);
  socket.destroy();
  resolve();
  await expect.poll(async () => (await connections()) <= 1).toBe(true);
});

/** In bytes: more than the buffers of a connection can hold. */
const size = 40_000_000;

test(
  "responses that nobody reads use bounded memory, and only their tenant is refused",
  { tags: ["exhaustive"] },
  async () => {
    let computed = 0;
    const large: SmallOperation = {
      answer: "object",
      handle: () => {
        computed += 1;
        return { kind: "object", object: { text: "x".repeat(size) } };
      },
    };
    const { url } = await startSmallApp({ large }, { limits: { responseMemoryBytes: 8 * size } });
    const status = async (): Promise<number> => {
      const response = await fetch(`${url}/large`);
      await response.arrayBuffer();
      return response.status;
    };
    const sockets = await Promise.all(Array.from({ length: 6 }, () => connectTo(url)));
    for (const socket of sockets) {
      socket.pause();
      socket.write(requests("/large", 1));
    }
    // Half of the memory has room for three of them.
    await expect.poll(status).toBe(503);
    const refused = await fetch(`${url}/large`);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.text()).toContain("responses that their callers have not read");
    const before = computed;
    expect(await status()).toBe(503);
    for (const socket of sockets) socket.destroy();
    await expect.poll(status).toBe(200);
    expect(computed).toBeGreaterThan(before);
  },
);

test("responses that are read are never refused", { tags: ["exhaustive"] }, async () => {
  const large: SmallOperation = {
    answer: "object",
    handle: () => ({ kind: "object", object: { text: "x".repeat(size) } }),
  };
  const { url } = await startSmallApp({ large }, { limits: { responseMemoryBytes: 8 * size } });
  for (let round = 0; round < 5; round += 1) {
    const response = await fetch(`${url}/large`);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
});
