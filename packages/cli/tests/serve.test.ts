/** @module-tag exhaustive */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { commandLine } from "../src/testing/command-line.ts";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { secplat, start } from "./support/process.ts";
import { creation, indicatorsPath, existingValues, serve, signIn } from "./support/server.ts";
import { stoppedCode, testWith } from "../../../testing/platform.ts";

const nightly = { tags: ["nightly"] };

const run = promisify(execFile);

/** Runs a pasted command. */
async function paste(command: string): Promise<unknown> {
  const { stdout } = await run("sh", ["-c", command]);
  return JSON.parse(stdout);
}

testWith("POSIX shell")(
  "prints only a base URL, credentials and curl commands that work as printed",
  async () => {
    const server = start(["serve", "--port", "0"], await demoFolder());
    await server.until("stdout", /Ctrl-C/);
    const { stdout } = server.output;
    const [list = "", token = ""] = stdout.split("\n").filter((line) => line.startsWith("  curl "));
    expect(await paste(list)).toHaveLength(2);
    expect(await paste(token)).toMatchObject({ token_type: "bearer", expires_in: 1_799 });
    const url = /^ {2}base URL +(?<url>http:\S+)$/m.exec(stdout)?.groups?.["url"];
    expect(list).toContain(url);
    expect(stdout).toMatch(/^ {2}client id +[0-9a-f]{32}$/m);
    expect(stdout).toMatch(/^ {2}client secret +\S{40}$/m);
    server.child.kill("SIGTERM");
    expect(await server.ended).toEqual({ exitCode: stoppedCode, stdout, stderr: "" });
  },
);

test.each([
  [[], 200],
  [["--workers", "2"], 200],
  [["--no-demo"], 204],
  [["--public-url", "http://127.0.0.1"], 204],
])(
  "tells the demo's credentials to its own pages, with %j: %i",
  nightly,
  async (options, status) => {
    const docs = temporaryFolder();
    writeFileSync(join(docs, "index.html"), "<p>home</p>");
    const server = await serve(["--docs", docs, ...options], await demoFolder());
    const { url, client_id, client_secret } = server.greeting;
    const ask = (origin: string): Promise<Response> =>
      fetch(`${url}/docs/demo-client`, { method: "POST", headers: { origin } });
    const answer = await ask(url);
    expect(answer.status).toBe(status);
    const body = await answer.text();
    if (status === 200) expect(JSON.parse(body)).toEqual({ client_id, client_secret });
    else expect(body).toBe("");
    expect((await ask("http://evil.example")).status).toBe(204);
    await server.stop();
  },
);

testWith("permission bits")(
  "keeps all data across restarts, readable by this user only",
  async () => {
    const folder = temporaryFolder();
    const first = await serve([], { folder });
    const created = await first.request(indicatorsPath, creation(["kept.example"]));
    expect(created.status).toBe(201);
    for (const file of ["", "/credentials.json", "/platform.sqlite", "/platform.sqlite-wal"]) {
      expect([file, statSync(`${folder}/.data${file}`).mode & 0o077]).toEqual([file, 0]);
    }
    expect(await first.stop()).toMatchObject({ exitCode: 0, stderr: "" });
    const second = await serve([], { folder });
    const { client_id, client_secret, cid } = first.greeting;
    expect(second.greeting).toMatchObject({ client_id, client_secret, cid });
    expect(await existingValues(second, ["kept.example"])).toEqual(["kept.example"]);
    const earlier = await second.request("/iocs/combined/indicator/v1", {
      token: first.greeting.access_token,
    });
    expect(earlier.status).toBe(200);
  },
);

testWith("signals")("finishes requests in progress on SIGTERM, and accepts no more", async () => {
  const server = await serve([], await demoFolder());
  const { body, headers, method } = creation(["late.example"]);
  const agent = new Agent({ keepAlive: true });
  const upload = request(`${server.greeting.url}${indicatorsPath}`, {
    agent,
    method: method ?? "",
    headers: {
      ...(headers as Record<string, string>),
      authorization: `Bearer ${server.greeting.access_token}`,
      "content-length": Buffer.byteLength(String(body)),
      expect: "100-continue",
    },
  });
  upload.flushHeaders();
  await once(upload, "continue");
  server.child.kill("SIGTERM");
  await untilRefused(server.greeting.url);
  upload.end(body);
  const [response] = await once(upload, "response");
  expect(response.statusCode).toBe(201);
  expect(await json(response)).toMatchObject([{ value: "late.example" }]);
  // The client keeps its connection open, which must not delay the stop.
  expect(await server.ended).toMatchObject({ exitCode: 0, stderr: "" });
  agent.destroy();
});

testWith("signals")("stops at once on a second signal", async () => {
  const server = await serve(["--no-demo"], await demoFolder());
  const { hostname, port } = new URL(server.greeting.url);
  const stuck = connect(Number(port), hostname);
  await once(stuck, "connect");
  stuck.write(
    "POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
      "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n",
  );
  await once(stuck, "data");
  stuck.on("error", () => undefined);
  server.child.kill("SIGINT");
  await untilRefused(server.greeting.url);
  expect(server.child.exitCode).toBeNull();
  // Two signals in quick succession count as one, because npm forwards a terminal's signal again.
  while (server.child.exitCode === null) {
    server.child.kill("SIGINT");
    await untilRefused(server.greeting.url);
  }
  expect((await server.ended).exitCode).toBe(130);
  stuck.destroy();
});

test(
  "refuses a data folder that another server uses, until that server is gone",
  nightly,
  async () => {
    const folder = temporaryFolder();
    const announcement = join(folder, ".data", "server.json");
    const first = await serve(["--no-demo"], { folder });
    const announced = readFileSync(announcement, "utf8");
    for (const words of [[], ["--no-demo"], ["--workers", "2"]]) {
      const second = await secplat(["serve", "--port", "0", ...words], { folder });
      expect(second).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: `secplat: ${join(folder, ".data")} is in use by the server at ${first.greeting.url} (process ${first.child.pid}); stop it, or choose another folder with --data\n`,
      });
      expect(readFileSync(announcement, "utf8")).toBe(announced);
    }
    const inMemory = await serve(["--no-demo", "--database", "sqlite::memory:"], { folder });
    expect(await inMemory.stop()).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readFileSync(announcement, "utf8")).toBe(announced);
    await first.stop("SIGKILL");
    expect(readFileSync(announcement, "utf8")).toBe(announced);
    const third = await serve(["--no-demo", "--workers", "2"], { folder });
    expect(readFileSync(announcement, "utf8")).toContain(third.greeting.url);
    expect(await third.stop()).toMatchObject({ exitCode: 0, stderr: "" });
    const fourth = await serve(["--no-demo"], { folder });
    expect(await fourth.stop()).toMatchObject({ exitCode: 0, stderr: "" });
  },
);

testWith("permission bits")("warns at its start of secrets that other users can read", async () => {
  const folder = temporaryFolder();
  const first = await serve([], { folder });
  expect(await first.stop()).toMatchObject({ stderr: "" });
  const files = ["secrets.key", "credentials.json"].map((name) => join(folder, ".data", name));
  for (const file of files) chmodSync(file, 0o644);
  const second = await serve([], { folder });
  expect((await second.stop()).stderr).toBe(
    files
      .map((file) => `secplat: other users can read ${file} (mode 644); run: chmod 600 ${file}\n`)
      .join(""),
  );
});

test("reports that its port is in use", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  const words = ["serve", "--no-demo", "--port", String(port)];
  const { exitCode, stdout, stderr } = await commandLine()(words);
  holder.close();
  expect(exitCode).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toBe(
    `secplat: port ${port} on 127.0.0.1 is in use; choose another with --port, or 0 for any\n`,
  );
});

test.each([
  [["--dev"], "--dev: the control plane works in a single process only; omit --dev or --workers"],
  [
    ["--database", "sqlite::memory:"],
    "--workers: an in-memory database works in a single process only",
  ],
])("rejects workers with %j", nightly, async (words, reason) => {
  const line = ["serve", "--no-demo", "--port", "0", "--workers", "2", ...words];
  const { exitCode, stdout, stderr } = await commandLine()(line);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(reason);
});

test(
  "reports the number of workers in the greeting, and reports once that the port is in use",
  nightly,
  async () => {
    const { folder } = await demoFolder();
    const server = start(["serve", "--no-demo", "--port", "0", "--workers", "2"], { folder });
    await server.until("stdout", /Ctrl-C/);
    expect(server.output.stdout).toMatch(/^ {2}workers +2$/m);
    const port = /:(?<port>\d+)$/m.exec(server.output.stdout)?.groups?.["port"] ?? "";
    const words = ["serve", "--no-demo", "--workers", "2", "--port", port];
    const second = await secplat(words, await demoFolder());
    expect(second).toMatchObject({
      exitCode: 1,
      stderr: `secplat: port ${port} on 127.0.0.1 is in use; choose another with --port, or 0 for any\n`,
    });
    server.child.kill("SIGINT");
    expect(await server.ended).toMatchObject({ exitCode: stoppedCode, stderr: "" });
  },
);

test("ends if the workers cannot start what sends traces", nightly, async () => {
  const { folder } = await demoFolder();
  for (const [name, text] of [
    ["api", "exports.diag = { setLogger() {} }; exports.DiagLogLevel = {};"],
    ["sdk-node", "exports.NodeSDK = class { start() { throw new Error('no key'); } };"],
  ] as const) {
    const place = join(folder, "node_modules", "@opentelemetry", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "index.js"), text);
  }
  const environment = { OTEL_TRACES_EXPORTER: "otlp" };
  const line = ["serve", "--no-demo", "--port", "0", "--workers", "2"];
  const { exitCode, stderr } = await secplat(line, { folder, environment });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("@opentelemetry/sdk-node cannot start: no key");
});

test("reads options from the environment; the command line takes precedence", async () => {
  const { folder } = await demoFolder();
  renameSync(join(folder, ".data"), join(folder, "elsewhere"));
  const environment = { SECPLAT_DATA: "elsewhere", SECPLAT_RATE_LIMIT: "7", SECPLAT_PORT: "1" };
  const server = await serve([], { folder, environment });
  expect(server.greeting.database).toContain(join("elsewhere", "platform.sqlite"));
  const answer = await server.request("/iocs/combined/indicator/v1");
  expect(answer.headers.get("x-ratelimit-limit")).toBe("7");
  const wrong = await secplat(["serve"], { folder, environment: { SECPLAT_PORT: "http" } });
  expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  expect(wrong.stderr).toContain(
    "SECPLAT_PORT cannot be 'http'. Expected an integer from 0 to 65535.",
  );
});

test("logs requests as JSON lines on standard error, without secrets", async () => {
  const server = await serve(["--log-level", "info"], await demoFolder());
  expect((await signIn(server, server.greeting)).status).toBe(201);
  await server.request("/iocs/combined/indicator/v1?limit=1");
  const { stdout, stderr } = await server.stop();
  expect(stdout.split("\n")).toHaveLength(2);
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { path?: string });
  expect(lines.flatMap(({ path }) => path ?? [])).toEqual([
    "/oauth2/token",
    "/iocs/combined/indicator/v1",
  ]);
  const { client_secret, access_token } = server.greeting;
  expect(stderr).not.toContain(client_secret);
  expect(stderr).not.toContain(access_token);
});

testWith("/dev/full")("continues to serve if its log cannot be written", async () => {
  const under = ["sh", "-c", 'exec "$@" 2> /dev/full', "sh"];
  const server = await serve(["--log-level", "info"], {
    ...(await demoFolder()),
    under,
  });
  for (let round = 0; round < 3; round += 1) {
    const answer = await server.request("/iocs/combined/indicator/v1?limit=1");
    expect(answer.status).toBe(200);
  }
  expect((await server.stop()).exitCode).toBe(0);
});

test.each([
  ["192.0.2.1", '--host: "192.0.2.1" is not an address of this machine'],
  ["nowhere.invalid", '--host: "nowhere.invalid" is not an address of this machine'],
])("does not listen on %s", nightly, async (host, reason) => {
  const words = ["serve", "--no-demo", "--port", "0", "--host", host];
  const { exitCode, stderr } = await commandLine()(words);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(reason);
});

test("prints a reachable URL when it listens on all addresses, and warns", nightly, async () => {
  const server = await serve(["--host", "0.0.0.0", "--no-demo"], await demoFolder());
  expect(server.greeting.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(server.greeting).toMatchObject({ client_id: null, access_token: null });
  expect((await server.request("/iocs/combined/indicator/v1")).status).toBe(401);
  expect((await server.stop()).stderr).toContain("other machines can reach 0.0.0.0");
});

async function untilRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const refused = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(false));
      socket.once("error", () => resolve(true));
    });
    socket.destroy();
    if (refused) return;
  }
}
