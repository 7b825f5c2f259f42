import { createPrivateKey, createPublicKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CliContext } from "../../terminal/cli-context.ts";
import { commandLine } from "../../testing/command-line.ts";
import { reloadCertificate } from "./reload.ts";
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
});

/** Files of the operator by their names; `check` gives what `secplat config check` says about two of them. */
async function operatorFiles() {
  const command = commandLine();
  const { generate } = await import("selfsigned");
  const pair = (notBeforeDate: Date, notAfterDate: Date) =>
    generate([{ name: "commonName", value: "localhost" }], {
      keyType: "ec",
      notBeforeDate,
      notAfterDate,
    });
  const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
  const [first, other, expired, future] = await Promise.all([
    pair(inDays(-2), inDays(2)),
    pair(inDays(-2), inDays(2)),
    pair(inDays(-2), inDays(-1)),
    pair(inDays(1), inDays(2)),
  ]);
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(command.folder, name), content);
  for (const [name, { cert, private: key }] of Object.entries({
    own: first,
    other,
    expired,
    future,
  })) {
    write(`${name}.pem`, cert);
    write(`${name}-key.pem`, key);
  }
  const lock = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const;
  write("locked.pem", createPrivateKey(first.private).export(lock));
  write("public.pem", createPublicKey(first.cert).export({ type: "spki", format: "pem" }));
  write("empty.pem", "");
  write("random.pem", randomBytes(500));
  write("cut.pem", first.cert.slice(0, 200));
  write("cut-key.pem", first.private.slice(0, 100));
  write("damaged.pem", first.cert.replace(/(?<=-----\r?\n).{20}/, "A".repeat(20)));
  write("damaged-key.pem", first.private.replace(/(?<=-----\r?\n).{20}/, "A".repeat(20)));
  write("reversed.pem", `${other.cert}\n${first.cert}`);
  write("both.pem", `${first.cert}\n${other.cert}\n${first.private}`);
  // As `cat` joins files that do not end with a line break.
  write("joined.pem", [first.cert, other.cert, first.private].map((each) => each.trim()).join(""));
  const check = async (cert: string, key: string): Promise<string> =>
    (await command(["config", "check", "--tls-cert", cert, "--tls-key", key])).stderr;
  return { command, check };
}

test("files that are no certificate and key are refused, with the file and the cure", async () => {
  const { command, check } = await operatorFiles();
  const certificate = (file: string, problem: string): readonly [string, string, string] => [
    file,
    "own-key.pem",
    `--tls-cert: ${join(command.folder, file)} ${problem}; expected the certificate of the server in PEM`,
  ];
  const key = (file: string, problem: string): readonly [string, string, string] => [
    "own.pem",
    file,
    `--tls-key: ${join(command.folder, file)} ${problem}`,
  ];
  const pem = "; expected the private key of --tls-cert in PEM";
  for (const [cert, keyFile, message] of [
    certificate("empty.pem", "is empty"),
    certificate("random.pem", "has no certificate"),
    certificate("cut.pem", "is incomplete"),
    certificate("damaged.pem", "has a damaged certificate"),
    certificate("other-key.pem", "has a private key"),
    key("empty.pem", `is empty${pem}`),
    key("random.pem", `has no key${pem}`),
    key("cut-key.pem", `is incomplete${pem}`),
    key("damaged-key.pem", `has a damaged key${pem}`),
    key("other.pem", `has a certificate${pem}`),
    key("public.pem", `has a public key${pem}`),
    key("other-key.pem", "is not the key of the certificate in"),
    key("locked.pem", "has an encrypted key, which a server cannot read without a person; write"),
    ["own-key.pem", "own.pem", "--tls-cert and --tls-key are swapped: "],
    ["reversed.pem", "own-key.pem", "put certificate 2 first"],
  ] as const) {
    expect([cert, keyFile, await check(cert, keyFile)]).toEqual([
      cert,
      keyFile,
      expect.stringContaining(message),
    ]);
  }
  expect(await check("both.pem", "both.pem")).toBe("");
  expect(await check("joined.pem", "joined.pem")).toBe("");
  const words = ["--tls-cert", "empty.pem", "--tls-key", "empty.pem"];
  expect((await command(["serve", "--no-demo", "--port", "0", ...words])).exitCode).toBe(1);
});

test("a certificate that clients refuse at this time is served, with a warning", async () => {
  const { command } = await operatorFiles();
  for (const [name, problem] of [
    ["expired", "the certificate expired on "],
    ["future", "the certificate is not valid before "],
  ]) {
    const files = ["--tls-cert", `${name}.pem`, "--tls-key", `${name}-key.pem`];
    const served = await command(["serve", "--no-demo", "--port", "0", ...files]);
    expect(served.exitCode).toBe(0);
    expect(served.stderr).toContain(`secplat: --tls-cert: ${problem}`);
  }
});

test("files of a start that was cut off are made again", async () => {
  await own();
  for (const name of ["tls-cert.pem", "tls-key.pem", "tls-ca.pem"]) {
    writeFileSync(join(folder, name), "");
    expect(await statusFrom(await own(), "localhost")).toBe(200);
  }
});

test("a certificate that cannot be used does not replace the one in use", async () => {
  const { config } = await own();
  const files = { tlsCert: "cert.pem", tlsKey: "key.pem", data: folder };
  writeFileSync(join(folder, files.tlsCert), "");
  writeFileSync(join(folder, files.tlsKey), config.key);
  const used: unknown[] = [];
  const logged: string[] = [];
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: ({ err }: { readonly err: Error }, text: string) =>
      logged.push(`${text}: ${err.message}`),
  };
  const server = { useCertificate: (given: unknown) => used.push(given) };
  const reload = () => reloadCertificate(files as never, context(), server, logger as never);
  await reload();
  expect(used).toEqual([]);
  expect(logged).toEqual([
    expect.stringMatching(/the old one stays in use: --tls-cert: .* is empty/),
  ]);
  writeFileSync(join(folder, files.tlsCert), config.cert);
  await reload();
  expect(used).toEqual([config]);
});

test("without options there is no TLS", async () => {
  expect(await openTls({ data: folder }, context())).toBeNull();
});
