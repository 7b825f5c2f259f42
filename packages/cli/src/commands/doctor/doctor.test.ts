import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import { serve, type ServerLimits } from "@security-platform/server";
import { expect, onTestFinished, test } from "vitest";
import { testWith } from "../../../../../testing/platform.ts";
import { announceServer } from "../../api/running-server.ts";
import { commandLine } from "../../testing/command-line.ts";
import { demoFolder } from "../../testing/prepared-folder.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { packedDocs } from "../../places.ts";
import { openTls } from "../serve/tls.ts";
import { checkDocs } from "./check-docs.ts";
import type { Finding } from "./finding.ts";

/** The checks by name, and the exit code. */
async function examine(folder: string, ...words: readonly string[]) {
  const environment = { SECPLAT_PROFILES: join(folder, "profiles.json") };
  const command = commandLine({ folder, environment });
  const { exitCode, stdout, stderr } = await command(["doctor", "--port", "0", "--json", ...words]);
  expect(stderr).toBe("");
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: readonly Finding[] };
  expect(exitCode).toBe(ok ? 0 : 1);
  return { exitCode, of: (name: string) => checks.find((check) => check.name === name) };
}

/** A server for requests that says what time it is. */
async function serverAt(date: string): Promise<string> {
  const server = createHttpServer((_request, response) => {
    response.sendDate = false;
    response.writeHead(200, { date, connection: "close" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test(
  "finds no fault with a server that runs on its data folder",
  { tags: ["exhaustive"] },
  async () => {
    const { folder } = await demoFolder();
    const data = join(folder, ".data");
    chmodSync(data, 0o700);
    const tls = await openTls({ data, tls: true }, { workingFolder: folder } as never);
    if (tls === null) throw new Error("there is a certificate");
    const platform = await serve({ tls: tls.config });
    onTestFinished(() => platform.close());
    announceServer(data, { url: platform.url, process_id: process.pid, ca_file: tls.caFile });
    const { exitCode, of } = await examine(folder);
    expect(exitCode).toBe(0);
    for (const name of [
      "versions",
      "data folder",
      "secrets",
      "database",
      "port",
      "profiles",
      "server",
      "storage",
      "clock",
    ]) {
      expect(of(name)).toMatchObject({ status: "ok", remedy: null });
    }
    expect(of("TLS")?.detail).toMatch(/^the certificate is valid for 39\d days$/);
  },
);

test("a database whose keys are missing cannot be used", async () => {
  const { folder } = await demoFolder();
  const file = join(folder, ".data/secrets.key");
  writeFileSync(file, "");
  const { exitCode, of } = await examine(folder);
  expect([exitCode, of("database")?.status]).toEqual([1, "fail"]);
  expect(of("database")?.detail).toMatch(new RegExp(`${file} lacks: [0-9a-f]{16}$`));
  expect(of("database")?.remedy).toContain("--secrets-key");
});

test("warns of what a new installation lacks, with remedies", async () => {
  const folder = temporaryFolder();
  const { exitCode, of } = await examine(folder);
  expect(exitCode).toBe(0);
  for (const name of ["data folder", "database", "server"]) {
    expect(of(name)).toMatchObject({
      status: "warn",
      remedy: expect.stringContaining("secplat serve"),
    });
  }
  const { stdout } = await commandLine({ folder })(["doctor", "--port", "0"]);
  expect(stdout).toMatch(
    /^warn {2}server {7}no server runs on this data folder\n {19}→ start one with/m,
  );
});

test("names a database that is damaged, and profiles that are broken", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".data"), { mode: 0o700 });
  writeFileSync(join(folder, ".data", "platform.sqlite"), "no database".repeat(1_000));
  writeFileSync(join(folder, "profiles.json"), '{"default": {"url": "https://x.test"}}', {
    mode: 0o600,
  });
  const { exitCode, of } = await examine(folder, "--url", "http://127.0.0.1:1");
  expect(exitCode).toBe(1);
  expect(of("database")).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("not a SQLite database"),
  });
  expect(of("profiles")?.detail).toContain("profile default: client_id must be a non-empty string");
  expect(of("server")?.detail).toContain("http://127.0.0.1:1 does not respond: ");
});

testWith("permission bits")("warns of secrets that other users can read", async () => {
  const folder = temporaryFolder();
  const data = join(folder, ".data");
  mkdirSync(data, { mode: 0o700 });
  const files = ["secrets.key", "credentials.json"].map((name) => join(data, name));
  for (const [index, file] of files.entries()) {
    writeFileSync(file, "");
    chmodSync(file, index === 0 ? 0o640 : 0o604);
  }
  const { of } = await examine(folder);
  expect(of("secrets")).toEqual({
    name: "secrets",
    status: "warn",
    detail: `other users can read ${files[0]} (mode 640) and ${files[1]} (mode 604)`,
    remedy: `chmod 600 ${files.join(" ")}`,
  });
  for (const file of files) chmodSync(file, 0o600);
  expect((await examine(folder)).of("secrets")).toMatchObject({ status: "ok" });
  const own = join(folder, "my own.key");
  writeFileSync(own, "");
  chmodSync(own, 0o644);
  const { of: ofOwn } = await examine(folder, "--secrets-key", own);
  expect(ofOwn("secrets")).toMatchObject({ status: "warn", remedy: `chmod 600 '${own}'` });
});

testWith("permission bits")("warns of rights of other users", async () => {
  const folder = temporaryFolder();
  const profile = { url: "http://127.0.0.1:1", client_id: "i", client_secret: "s3cret" };
  mkdirSync(join(folder, ".data"));
  chmodSync(join(folder, ".data"), 0o755);
  writeFileSync(join(folder, "profiles.json"), JSON.stringify({ default: profile }));
  chmodSync(join(folder, "profiles.json"), 0o644);
  const { of } = await examine(folder);
  expect(of("data folder")).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("755"),
  });
  expect(of("profiles")).toMatchObject({
    status: "warn",
    remedy: expect.stringContaining("chmod 600"),
  });
});

test("warns of a port that another program uses", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { of } = await examine(temporaryFolder(), "--port", String(port));
  expect(of("port")).toMatchObject({
    status: "warn",
    detail: `${port} is used by another program`,
  });
});

test("names the port of the server that runs on the data folder, and the state of the usual one", async () => {
  // The check of the server is not kept waiting for a response.
  const other = createServer((socket) => void socket.once("data", () => socket.destroy()));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".data"), { mode: 0o700 });
  announceServer(join(folder, ".data"), {
    url: `http://127.0.0.1:${port}`,
    process_id: process.pid,
    ca_file: null,
  });
  const detailFor = async (usual: number) =>
    (await examine(folder, "--port", String(usual))).of("port")?.detail;
  const owner = `${port} is that of the running server, process ${process.pid}`;
  expect(await detailFor(port)).toBe(owner);
  expect(await detailFor(0)).toBe(`${owner}; for another server, 0 is free`);
});

test("compares the clocks", async () => {
  const check = async (milliseconds: number) => {
    const date = new Date(Date.now() + milliseconds).toUTCString();
    return (await examine(temporaryFolder(), "--url", await serverAt(date))).of("clock");
  };
  expect(await check(-3_600_000)).toMatchObject({
    status: "fail",
    detail: expect.stringMatching(/^the server's clock is 3\d{3} s behind$/),
  });
  expect(await check(3_600_000)).toMatchObject({
    status: "fail",
    remedy: "set both clocks by NTP",
  });
});

test(
  "shows the limits of storage, and warns before they are reached",
  { tags: ["exhaustive"] },
  async () => {
    const check = async (limits: Partial<ServerLimits>) => {
      const platform = await serve({ limits });
      onTestFinished(() => platform.close());
      return (await examine(temporaryFolder(), "--url", platform.url)).of("storage");
    };
    expect(await check({})).toMatchObject({ status: "ok", detail: "without a limit" });
    expect(await check({ tenantStorageBytes: 5_000_000 })).toMatchObject({
      status: "ok",
      detail: "at most 5 MB a tenant",
    });
    expect(await check({ storageBytes: 900_000_000, tenantStorageBytes: 5_000_000 })).toMatchObject(
      {
        status: "ok",
        detail: expect.stringMatching(/^\d+ MB of 859 MB are used, at most 5 MB a tenant$/),
      },
    );
    expect(await check({ storageBytes: 1_000_000 })).toMatchObject({
      status: "warn",
      detail: expect.stringMatching(/^\d+ MB of 1 MB are used$/),
      remedy: expect.stringContaining("--storage-limit"),
    });
  },
);

test("names what is wrong with the documentation, and the cure", async () => {
  const folder = temporaryFolder();
  expect(await checkDocs(folder)).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("the file does not exist"),
    remedy: expect.stringContaining("install the package again"),
  });
  writeFileSync(join(folder, "site.archive"), "cut");
  expect(await checkDocs(folder)).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("is not an archive"),
  });
  const { of } = await examine(temporaryFolder());
  expect(of("docs")).toEqual(await checkDocs(packedDocs));
});

test("rejects what is no URL", async () => {
  const { of } = await examine(temporaryFolder(), "--url", "localhost");
  expect(of("server")).toMatchObject({ status: "fail", detail: '"localhost" is no URL' });
});

test("does not repeat the password of a database", async () => {
  const folder = temporaryFolder();
  const { exitCode, stdout } = await commandLine({ folder })([
    "doctor",
    "--port=0",
    "--database=postgres://me:hunter2@127.0.0.1:1/name",
  ]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^fail {2}database {5}postgres:\/\/me@127\.0\.0\.1:1\/name: PostgreSQL cannot be reached \(ECONNREFUSED\)\n +→ check that/m,
  );
  expect(stdout).not.toContain("hunter2");
});
