import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve, type ServedPlatform, type ServiceCredentials } from "@security-platform/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWith } from "../../../../testing/platform.ts";
import { announceServer } from "../api/running-server.ts";
import { commandLine } from "../testing/command-line.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

let platform: ServedPlatform;
let client: ServiceCredentials;
beforeAll(async () => {
  platform = await serve();
  client = await platform.newCredentials();
});
afterAll(() => platform.close());

const fileIn = (folder: string): string => join(folder, "config", "profiles.json");

/** A command line whose profiles are in its folder. */
function setUp(replies?: readonly string[], folder = temporaryFolder(), more = {}) {
  const environment = { SECPLAT_PROFILES: fileIn(folder), ...more };
  return commandLine({ folder, environment, ...(replies === undefined ? {} : { replies }) });
}

const stored = (folder: string): unknown => JSON.parse(readFileSync(fileIn(folder), "utf8"));

/** What is stored of the client. */
const profile = () => ({
  url: platform.url,
  client_id: client.clientId,
  client_secret: client.clientSecret,
});

test("asks for what is missing, gets a token, and stores the profile", async () => {
  const command = setUp([platform.url, client.clientId, client.clientSecret]);
  const { exitCode, stdout, stderr } = await command(["login"]);
  expect([exitCode, stderr]).toEqual([
    0,
    `URL of the API: ${platform.url}\nClient id: ${client.clientId}\nClient secret (not shown): \n`,
  ]);
  expect(stored(command.folder)).toEqual({ default: profile() });
  expect(stdout).toContain(fileIn(command.folder));
  expect(stdout).not.toContain(client.clientSecret);
  const called = await command(["ioc", "list-platforms", "--json"]);
  expect([called.exitCode, called.stderr]).toEqual([0, ""]);
});

testWith("permission bits")("only the user can read the profiles", async () => {
  const command = setUp([platform.url, client.clientId, client.clientSecret]);
  expect((await command(["login"])).exitCode).toBe(0);
  expect(statSync(fileIn(command.folder)).mode & 0o777).toBe(0o600);
  expect(statSync(join(command.folder, "config")).mode & 0o777).toBe(0o700);
});

test("finds a server on this machine, and reads the secret from standard input", async () => {
  const command = setUp();
  mkdirSync(join(command.folder, ".data"));
  announceServer(join(command.folder, ".data"), {
    url: platform.url,
    process_id: process.pid,
    ca_file: null,
  });
  const words = ["login", "--client-id", client.clientId, "--profile", "local", "--json"];
  const { exitCode, stdout, stderr } = await command(
    [...words, "--secret-stdin"],
    `\n${client.clientSecret}\n`,
  );
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toEqual({
    profile: "local",
    url: platform.url,
    client_id: client.clientId,
    member_cid: null,
    file: fileIn(command.folder),
  });
  expect(stored(command.folder)).toEqual({ local: profile() });
});

test("a certificate that cannot be read is an error before anything is sent", async () => {
  const command = setUp();
  const words = [
    "login",
    "--url",
    "https://127.0.0.1:1",
    "--client-id",
    "id",
    "--ca-file",
    "none.pem",
  ];
  const { exitCode, stderr } = await command([...words, "--secret-stdin"], "secret\n");
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^secplat: cannot read the certificate .*none\.pem: ENOENT/);
});

test("keeps other profiles, also broken ones", async () => {
  const command = setUp([client.clientSecret]);
  mkdirSync(join(command.folder, "config"));
  const others = { $current: "mine", broken: { url: 5 }, default: profile() };
  writeFileSync(fileIn(command.folder), JSON.stringify(others));
  const words = ["login", "--url", platform.url, "--client-id", client.clientId];
  expect((await command(words)).exitCode).toBe(0);
  expect(stored(command.folder)).toEqual({ ...others, mine: profile() });
});

test("stores nothing if the server does not accept the credentials", async () => {
  const command = setUp([platform.url, client.clientId, "wrong-secret"]);
  const { exitCode, stdout, stderr } = await command(["login"]);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/secplat: nothing was stored: .*401/);
  expect(stderr).not.toContain("wrong-secret");
  expect(() => stored(command.folder)).toThrow("ENOENT");
});

test("stores nothing if the server cannot be reached", async () => {
  const command = setUp(["http://127.0.0.1:1", "id", "s3cret"]);
  const { exitCode, stderr } = await command(["login"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("secplat: nothing was stored: ");
  expect(stderr).toContain("127.0.0.1:1");
  expect(stderr).not.toContain("s3cret");
});

test("changes no file that it cannot read", async () => {
  const command = setUp([]);
  mkdirSync(join(command.folder, "config"));
  writeFileSync(fileIn(command.folder), '{\n  "default": {"client_secret": "s3cret" oops }\n}');
  const words = ["login", "--url", platform.url, "--client-id", client.clientId];
  const { exitCode, stderr } = await command([...words, "--profile", "other"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${fileIn(command.folder)} is not JSON (line 2 column`);
  expect(stderr).not.toContain("s3cret");
  expect(readFileSync(fileIn(command.folder), "utf8")).toContain("s3cret");
});

test.each([
  [[], "", "there is no terminal to ask for it; set --url"],
  [["--url", "http://x.test"], "", "there is no terminal to ask for it; set --client-id"],
  [
    ["--url", "http://x.test", "--client-id", "id"],
    "",
    "set SECPLAT_CLIENT_SECRET, or use --secret-stdin",
  ],
  [
    ["--url", "http://x.test", "--client-id", "id", "--secret-stdin"],
    "\n",
    "standard input is empty",
  ],
  [["--profile", "$current"], "", "--profile cannot be '$current'. Expected at most 100 letters"],
])("rejects %j without a terminal", async (words, input, reason) => {
  const { exitCode, stdout, stderr } = await setUp()(["login", ...words], input);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(reason);
});

test("rejects an empty reply", async () => {
  const { exitCode, stderr } = await setUp([" "])(["login"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("URL of the API: expected a value; nothing was stored");
});
