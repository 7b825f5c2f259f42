import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Client, DatabaseError } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { StoreUnavailableError } from "../../types/errors.ts";
import { postgresFailure } from "./postgres-errors.ts";

const internalError = (message: string): DatabaseError =>
  Object.assign(new DatabaseError(message, message.length, "error"), { code: "XX000" });

test.each([
  "failure on connection marked as essential: worker-1:5432",
  "could not commit transaction for shard 102029 on at least one active node",
])("a node of Citus that went away makes the database unavailable: %s", (message) => {
  expect(postgresFailure(internalError(message))).toBeInstanceOf(StoreUnavailableError);
});

test("any other internal error stays one", () => {
  const error = internalError("cache lookup failed for relation 1");
  expect(postgresFailure(error)).toBe(error);
});

test.each([
  ["SELF_SIGNED_CERT_IN_CHAIN", "sslrootcert in the URL, or set sslmode=no-verify"],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "its certificate is for another host; name that host in the URL",
  ],
])("says what to do about a certificate: %s", (code, cure) => {
  const failure = postgresFailure(Object.assign(new Error("refused"), { code }));
  expect((failure as Error).message).toContain(cure);
});

test("a server that asks for a password is not called unreachable", async () => {
  const message = (kind: number, text: string): Buffer => {
    const head = Buffer.alloc(9);
    head.write("R");
    head.writeInt32BE(8 + text.length, 1);
    head.writeInt32BE(kind, 5);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(message(10, "SCRAM-SHA-256\0\0"));
      socket.once("data", (first) => {
        const nonce = /r=(?<nonce>[^,]*)/.exec(String(first))?.groups?.["nonce"];
        socket.write(message(11, `r=${nonce}more,s=c2FsdA==,i=4096`));
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("PGPASSWORD", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = new Client({ host: "127.0.0.1", port, user: "secplat", database: "secplat" });
  const failure = postgresFailure(await client.connect().catch((error: unknown) => error));
  expect(failure).toBeInstanceOf(StoreUnavailableError);
  expect((failure as Error).message).toBe(
    "PostgreSQL: it asks for a password; set PGPASSWORD, or the password in the database URL",
  );
});
