import { Socket } from "node:net";
import type { ClientBase } from "pg";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../types/errors.ts";
import { PostgresConnection } from "./postgres-connection.ts";

test("a statement that is not answered ends, even if the connection was idle for as long before", async () => {
  const stream = new Socket();
  const failed = new Promise<never>((_resolve, reject) => stream.once("error", reject));
  failed.catch(() => undefined);
  const client = { connection: { stream }, on: () => client, query: () => failed };
  const connection = new PostgresConnection(client as unknown as ClientBase, {
    isPrepared: false,
    found: { isCitus: false },
    statementMilliseconds: 1_000,
  });
  stream.emit("timeout");
  expect([stream.destroyed, connection.isUnusable]).toEqual([false, false]);
  connection.begin(null);
  stream.emit("timeout");
  await expect(connection.settle()).rejects.toThrow(StoreUnavailableError);
});
