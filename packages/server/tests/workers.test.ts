/** @module-tag exhaustive */
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request as send, type ClientRequest, type IncomingMessage } from "node:http";
import * as https from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import {
  serve,
  temporaryFolder,
  type LogLine,
  type ServerProcess,
} from "./support/server-process.ts";
import { stoppedCode, testWith } from "../../../testing/platform.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly traceId: string;
}

interface Request {
  readonly method?: string;
  readonly accept?: string;
  readonly token?: string;
  readonly form?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly json?: string;
}

interface WorkersServer extends ServerProcess {
  /** The CA that its clients trust; undefined without TLS. */
  readonly ca: Buffer | undefined;
}

/** One keep-alive connection, and therefore one worker. */
type Lane = (path: string, request?: Request) => Promise<Answer>;

const list = "/iocs/queries/platforms/v1?limit=1";

function openLane({ url, ca }: WorkersServer): Lane {
  const one = { keepAlive: true, maxSockets: 1 };
  const [agent, open] =
    ca === undefined ? [new Agent(one), send] : [new https.Agent({ ...one, ca }), https.request];
  onTestFinished(() => agent.destroy());
  return (path, { token, accept, form, json, ...rest } = {}) =>
    new Promise((resolve, reject) => {
      const body = form === undefined ? (json ?? "") : new URLSearchParams(form).toString();
      const method = rest.method ?? (body === "" ? "GET" : "POST");
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(accept === undefined ? {} : { accept }),
        ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        "content-length": Buffer.byteLength(body),
      };
      const outgoing = open(`${url}${path}`, { agent, method, headers }, (response) => {
        resolve(answerOf(response));
      });
      outgoing.once("error", reject);
      outgoing.end(body);
    });
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: await text(response), traceId: String(headers["x-trace-id"]) };
}

/** One lane to each of two workers, as the log shows. */
async function openLanes(server: WorkersServer): Promise<readonly [Lane, Lane]> {
  const lanes: readonly [Lane, Lane] = [openLane(server), openLane(server)];
  const answers: Answer[] = [];
  for (const lane of lanes) answers.push(await lane(list, { token: server.token }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const ids = new Set(answers.map(({ traceId }) => traceId));
  const lines = await server.logged(
    (logged) => logged.filter(({ trace_id }) => ids.has(String(trace_id))).length === ids.size,
  );
  const workers = lines.flatMap(({ trace_id, worker }) =>
    ids.has(String(trace_id)) ? worker : [],
  );
  expect(new Set(workers)).toEqual(new Set([1, 2]));
  return lanes;
}

async function newToken(lane: Lane, { client }: ServerProcess): Promise<string> {
  const { status, body } = await lane("/oauth2/token", { form: client });
  expect(status).toBe(201);
  return (JSON.parse(body) as { access_token: string }).access_token;
}

forEachEngine((engine) => {
  const start = async (...words: readonly string[]): Promise<WorkersServer> => {
    const folder = temporaryFolder(finish);
    const docs = ["--docs", smallSite(folder)];
    const server = await serve(
      {
        folder,
        databaseUrl: await engine.url(),
        words: ["--workers", "2", "--log-level", "info", ...docs, ...words],
      },
      finish,
    );
    const ca = words.includes("--tls") ? readFileSync(join(folder, "tls-ca.pem")) : undefined;
    return { ...server, ca };
  };
  const cleanUps: (() => Promise<void> | void)[] = [];
  const finish = (cleanUp: () => Promise<void> | void): void => void cleanUps.push(cleanUp);
  /** Shared by the tests, because three processes take long to start. The last test stops it. */
  let server: WorkersServer;
  /** With TLS and limits. The test of the limits uses them up and stops it. */
  let limited: WorkersServer;

  beforeAll(async () => {
    server = await start("--rate-limit", "0", "--failure-limit", "0");
    limited = await start("--tls", "--rate-limit", "150", "--failure-limit", "5");
  });

  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  test("a token issued or revoked by one worker is known to the other at once", async () => {
    const lanes = await openLanes(server);
    for (let round = 0; round < 10; round += 1) {
      const [here, there] = round % 2 === 0 ? lanes : [lanes[1], lanes[0]];
      const token = await newToken(here, server);
      expect((await there(list, { token })).status).toBe(200);
      expect((await here(list, { token })).status).toBe(200);
      await here("/oauth2/revoke", { form: { ...server.client, token } });
      expect((await there(list, { token })).status).toBe(401);
      expect((await here(list, { token })).status).toBe(401);
    }
  });

  test("the documentation is the same over TLS as over HTTP, from each worker", async () => {
    expect([server.url, limited.url]).toEqual([
      expect.stringMatching(/^http:/),
      expect.stringMatching(/^https:/),
    ]);
    // Connections are distributed in turn, so two lanes lead to both workers.
    const [plain, ...secure] = [server, limited, limited].map(openLane);
    for (const [path, status, body] of [
      ["/docs/", 200, "<h1>Small</h1>"],
      ["/docs/assets/app.js", 200, "start();"],
      ["/docs/nowhere", 404, "<h1>Not here</h1>"],
    ] as const) {
      const expected = shown(await plain?.(path, { accept: "text/html" }));
      expect(expected).toMatchObject({ status, body });
      for (const lane of secure) {
        expect(shown(await lane(path, { accept: "text/html" }))).toEqual(expected);
      }
    }
  });

  test("limits apply to all workers together, over TLS", async () => {
    const { token } = limited;
    const lanes = await openLanes(limited);
    let admitted = 2;
    const takeAll = async (lane: Lane): Promise<Answer> => {
      for (;;) {
        const answer = await lane(list, { token });
        if (answer.status !== 200) return answer;
        admitted += 1;
      }
    };
    const refusals = await Promise.all(lanes.map(takeAll));
    expect(admitted).toBe(150);
    for (const { status, headers } of refusals) {
      expect(status).toBe(429);
      expect(headers).toMatchObject({ "x-ratelimit-limit": "150", "x-ratelimit-remaining": "0" });
    }
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess += 1) {
      const [lane = lanes[0]] = guess % 2 === 0 ? lanes : lanes.toReversed();
      statuses.push((await lane(list, { token: `spt_guess${guess}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    for (const lane of lanes) {
      const blocked = await lane(list, { token: "spt_guess" });
      expect(blocked.status).toBe(429);
      expect(blocked.body).toContain("too many failed authentications");
      // The valid token's tenant has used up its own limit above.
      expect((await lane(list, { token })).body).not.toContain("failed");
    }
    expect(await limited.end("SIGTERM")).toBe(stoppedCode);
    expect(limited.written.stdout.split("\n")).toHaveLength(2);
  });

  test(
    "a killed worker is replaced, and no acknowledged write is lost",
    { tags: ["nightly"] },
    async () => {
      const { token } = server;
      const victim = await firstWorker(server);
      const waiting = Array.from({ length: 200 }, (_none, number) => `kept-${number}.example`);
      const acknowledged: string[] = [];
      let broken = 0;
      const write = async (): Promise<void> => {
        let lane = openLane(server);
        for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) {
          const request = { token, json: creation(value) };
          const answer = await lane(indicatorsPath, request).catch(() => null);
          if (answer === null) {
            broken += 1;
            lane = openLane(server);
            continue;
          }
          expect(answer.status).toBe(201);
          acknowledged.push(value);
          if (acknowledged.length === 50) process.kill(victim, "SIGKILL");
        }
      };
      await Promise.all(Array.from({ length: 8 }, write));
      expect(acknowledged.length + broken).toBe(200);
      expect(acknowledged.length).toBeGreaterThan(190 - 8);
      const lines = await firstWorkerReady(server, victim);
      expect(lines.find(({ msg }) => msg === "a worker ended and will be replaced")).toMatchObject({
        level: "warn",
        worker: 1,
        process_id: victim,
        // Windows has no signals; the process has an exit code instead.
        ...(process.platform === "win32" ? {} : { signal: "SIGKILL" }),
      });
      for (const lane of await openLanes(server)) {
        const query = new URLSearchParams({ filter: "value:*'kept-*'", limit: "500" });
        const { body } = await lane(`/iocs/combined/indicator/v1?${query}`, { token });
        const values = (JSON.parse(body) as readonly { value: string }[]).map(({ value }) => value);
        expect(acknowledged.filter((value) => !values.includes(value))).toEqual([]);
      }
    },
  );

  testWith("signals")(
    "a connection that a worker had not accepted before it was killed is closed",
    async () => {
      const victim = await firstWorker(server);
      process.kill(victim, "SIGSTOP");
      // The second connection goes to the other worker than the first, and the third to the one
      // that runs.
      const sockets: Socket[] = [];
      for (let count = 0; count < 3; count += 1) sockets.push(await openConnection(server));
      const ends = sockets.map(outcome);
      expect(await ends[2]).toBe("answered");
      process.kill(victim, "SIGKILL");
      expect((await Promise.all(ends)).toSorted()).toEqual(["answered", "answered", "closed"]);
      await firstWorker(server, victim);
    },
  );

  testWith("signals")(
    "running requests are finished on SIGTERM, and the exit code is 0",
    async () => {
      const uploads = [openUpload(server), openUpload(server)];
      await Promise.all(uploads.map((upload) => once(upload, "continue")));
      const ended = server.end("SIGTERM");
      await untilRefused(server);
      const answers = uploads.map((upload) => once(upload, "response"));
      for (const [number, upload] of uploads.entries())
        upload.end(creation(`late-${number}.example`));
      const responses = (await Promise.all(answers)).flat() as readonly IncomingMessage[];
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
      for (const response of responses) response.resume();
      expect(await ended).toBe(0);
    },
  );
});

/** A documentation site of three files. */
function smallSite(folder: string): string {
  const site = join(folder, "site");
  mkdirSync(join(site, "assets"), { recursive: true });
  writeFileSync(join(site, "index.html"), "<h1>Small</h1>");
  writeFileSync(join(site, "404.html"), "<h1>Not here</h1>");
  writeFileSync(join(site, "assets/app.js"), "start();");
  return site;
}

/** Headers that do not depend on the time of the request or of the file. */
function shown(answer: Answer | undefined): unknown {
  const { status, headers = {}, body } = answer ?? {};
  const names = ["content-type", "content-length", "cache-control", "content-security-policy"];
  return { status, body, headers: names.map((name) => headers[name]) };
}

const indicatorsPath = "/iocs/entities/indicators/v1";

const creation = (value: string): string =>
  JSON.stringify({
    indicators: [
      {
        type: "domain",
        value,
        severity: "high",
        action: "detect",
        platforms: ["linux"],
        applied_globally: true,
      },
    ],
  });

/** A create request whose body is not sent yet, on a separate connection. */
function openUpload({ url, token }: ServerProcess): ClientRequest {
  const upload = send(`${url}${indicatorsPath}`, {
    agent: false,
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(creation("late-0.example")),
      expect: "100-continue",
    },
  });
  upload.flushHeaders();
  return upload;
}

const isReady = ({ msg }: LogLine): boolean => msg === "a worker is ready";

const lastStart = (lines: readonly LogLine[]): LogLine | undefined =>
  lines.findLast((line) => isReady(line) && line["worker"] === 1);

/** The log once worker 1 runs, as another process than `before`. */
const firstWorkerReady = (server: ServerProcess, before?: number): Promise<readonly LogLine[]> =>
  server.logged((lines) => ![undefined, before].includes(processId(lastStart(lines))));

const processId = (line: LogLine | undefined): number | undefined =>
  line && Number(line["process_id"]);

/** Process id of worker 1 once it runs, as another process than `before`. */
async function firstWorker(server: ServerProcess, before?: number): Promise<number> {
  return Number(processId(lastStart(await firstWorkerReady(server, before))));
}

/** A new connection with one request in progress. */
async function openConnection({ url, token }: ServerProcess): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(
    `GET ${list} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

/** How the request of a connection ends. */
const outcome = (socket: Socket): Promise<"answered" | "closed"> =>
  new Promise((resolve) => {
    socket.once("data", () => resolve("answered"));
    socket.once("close", () => resolve("closed"));
    socket.once("error", () => resolve("closed"));
  });

/** Resolves when the server accepts no more connections. */
async function untilRefused({ url }: ServerProcess): Promise<void> {
  const { hostname, port } = new URL(url);
  for (let refused = false; !refused;) {
    const socket = connect(Number(port), hostname);
    refused = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(false));
      socket.once("error", () => resolve(true));
    });
    socket.destroy();
  }
}
