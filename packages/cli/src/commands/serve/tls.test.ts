import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CliContext } from "../../terminal/cli-context.ts";
import { openTls, type Tls } from "./tls.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secplat-tls-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const context = () => ({ workingFolder: folder, environment: {} }) as unknown as CliContext;

async function own(): Promise<Tls & { readonly caFile: string }> {
  const tls = await openTls({ tls: true, data: folder }, context());
  if (tls?.caFile == null) throw new Error("no CA file");
  return { ...tls, caFile: tls.caFile };
}

/** The status of a request to a server with the certificate, at `host`. */
function statusFrom({ config, caFile }: Tls & { readonly caFile: string }, host: string) {
  const server = createServer({ ...config }, (_request, response) => response.end("ok"));
  return new Promise<number | undefined>((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const ca = readFileSync(caFile);
      get(
        {
          host,
          port,
          ca,
          agent: false,
          lookup: (_name, _options, found) => found(null, [{ address: "127.0.0.1", family: 4 }]),
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      ).on("error", reject);
    });
  }).finally(() => server.close());
}

test("a client that trusts the CA file can connect to localhost and 127.0.0.1, and to no other name", async () => {
  const tls = await own();
  expect(await statusFrom(tls, "localhost")).toBe(200);
  expect(await statusFrom(tls, "127.0.0.1")).toBe(200);
  await expect(statusFrom(tls, "platform.example")).rejects.toThrow(/altnames/i);
});

test("only the owner can read the files, and later starts use them again", async () => {
  const first = await own();
  const second = await own();
  expect(second).toEqual(first);
  for (const name of ["tls-ca.pem", "tls-ca-key.pem", "tls-cert.pem", "tls-key.pem"]) {
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
});

test("a certificate that expires soon is renewed under the same CA", async () => {
  const first = await own();
  const { generate } = await import("selfsigned");
  const soon = new Date(Date.now() + 86_400_000);
  const expiring = await generate([{ name: "commonName", value: "localhost" }], {
    notAfterDate: soon,
  });
  writeFileSync(join(folder, "tls-cert.pem"), expiring.cert);
  writeFileSync(join(folder, "tls-key.pem"), expiring.private);
  const renewed = await own();
  expect(renewed.config.cert).not.toBe(first.config.cert);
  const days =
    (Date.parse(new X509Certificate(renewed.config.cert).validTo) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(300);
  expect(await statusFrom({ ...renewed, caFile: first.caFile }, "localhost")).toBe(200);
});

test("a certificate of the operator needs its key, and the two must match", async () => {
  const { config } = await own();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const tlsCert = write("cert.pem", config.cert);
  const tlsKey = write("key.pem", config.key);
  expect(await openTls({ data: folder, tlsCert, tlsKey }, context())).toEqual({
    config,
    caFile: null,
  });
  await expect(openTls({ data: folder, tlsCert }, context())).rejects.toThrow(
    "--tls-cert also requires --tls-key",
  );
  await expect(openTls({ data: folder, tlsCert, tlsKey: "none.pem" }, context())).rejects.toThrow(
    /--tls-key: cannot read/,
  );
  const other = write("other.pem", readFileSync(join(folder, "tls-ca-key.pem"), "utf8"));
  await expect(openTls({ data: folder, tlsCert, tlsKey: other }, context())).rejects.toThrow(
    /not a pair/,
  );
});

test("without options there is no TLS", async () => {
  expect(await openTls({ data: folder }, context())).toBeNull();
});
