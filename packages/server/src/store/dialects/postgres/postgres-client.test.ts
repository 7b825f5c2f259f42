import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { dumpPostgres } from "./dump-postgres.ts";
import { openPostgres } from "./postgres.ts";
import { connectionConfig, PostgresClient } from "./postgres-client.ts";

/** A server that answers a connection with one message about its authentication, and notes what follows. */
async function serverThatSends(code: number, rest = ""): Promise<{ url: string; got: Buffer[] }> {
  const got: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      const body = Buffer.from(`\0\0\0\0${rest}`);
      body.writeInt32BE(code);
      const head = Buffer.from("R\0\0\0\0");
      head.writeInt32BE(body.length + 4, 1);
      socket.write(Buffer.concat([head, body]));
      socket.on("data", (chunk: Buffer) => got.push(chunk));
    });
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://me:hunter2@127.0.0.1:${port}/d?channel_binding=require`, got };
}

test.each([
  ["trusts everyone", 0, ""],
  ["asks for the password", 3, ""],
  ["asks for a hash of it", 5, "salt"],
  ["offers no mechanism with channel binding", 10, "SCRAM-SHA-256\0\0"],
])("channel_binding=require sends nothing to a server that %s", async (_, code, rest) => {
  const { url, got } = await serverThatSends(code, rest);
  const client = new PostgresClient(connectionConfig(url));
  await expect(client.connect()).rejects.toThrow(
    "PostgreSQL: it does not offer the channel binding that channel_binding=require of the URL requires",
  );
  expect(Buffer.concat(got).toString()).toBe("");
});

test("a store and a backup hold to channel_binding=require too", async () => {
  const { url, got } = await serverThatSends(3);
  const database = openPostgres(url);
  const reading = async (): Promise<void> => {
    for await (const _ of dumpPostgres(url, () => [])) expect.unreachable();
  };
  try {
    for (const opened of [
      () => database.read([], async () => undefined),
      () => database.asOwner(async () => undefined),
      () => database.outside?.(async () => undefined),
      reading,
    ]) {
      await expect(async () => opened()).rejects.toThrow("channel_binding=require");
    }
  } finally {
    await database.close();
  }
  expect(Buffer.concat(got).toString()).toBe("");
});

test.each([
  ["", false, false],
  ["?channel_binding=disable", false, false],
  ["?sslmode=require&channel_binding=prefer", true, false],
  ["?channel_binding=require&sslmode=require", true, true],
])("the parameters %j", (parameters, enableChannelBinding, requireChannelBinding) => {
  expect(connectionConfig(`postgres://h/d${parameters}`)).toMatchObject({
    enableChannelBinding,
    requireChannelBinding,
  });
});
