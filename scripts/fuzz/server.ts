import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request as sendRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { secplatArguments } from "../../testing/secplat.ts";
import { longestTurn, probed } from "../bench/loop-probe-client.ts";
import type { LongestTurn } from "../bench/loop-probe.ts";

export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** `secplat serve --dev` with the demo world, in a process of its own. */
export interface FuzzedServer {
  readonly pid: number;
  readonly url: string;
  readonly cid: string;
  readonly token: () => string;
  /** With a token, unless the headers have another. Rejects if there is no response. */
  send(request: Request): Promise<Answer>;
  /** Requests a new token: tokens expire. */
  renew(): Promise<void>;
  longestTurn(): Promise<LongestTurn>;
  readonly hasEnded: () => boolean;
  /** What it wrote to its log. */
  readonly log: () => string;
  stop(): Promise<void>;
}

/** `words`: more options of the server, such as `--compat`. */
export async function startServer(words: readonly string[] = []): Promise<FuzzedServer> {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  const probe = probed(folder);
  const limits = ["rate-limit", "token-rate-limit", "failure-limit", "overload-delay"];
  const child = spawn(
    process.execPath,
    [
      ...probe.flags,
      ...secplatArguments,
      "serve",
      "--json",
      "--dev",
      "--no-docs",
      "--port=0",
      `--data=${folder}`,
      "--log-level=error",
      ...limits.flatMap((limit) => [`--${limit}`, "0"]),
      ...words,
    ],
    // In a group of its own, so that Ctrl-C ends only the run, which then ends the server.
    { stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-100_000);
  });
  const ended = once(child, "exit");
  const greeting = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(() => {
      throw new Error(`the server ended: ${log}`);
    }),
  ]);
  const { url, cid, access_token, client_id, client_secret } = JSON.parse(
    String(greeting[0]),
  ) as Record<"url" | "cid" | "access_token" | "client_id" | "client_secret", string>;
  let token = access_token;
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const send = ({ method, address, headers = {}, body }: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = sendRequest(url + address, {
        method,
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
          ...headers,
        },
        timeout: 60_000,
        // The link to the next page repeats the filter.
        maxHeaderSize: 256 * 1024,
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error("no response within 60 s")));
      outgoing.on("error", reject);
      outgoing.on("response", (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          }),
        );
      });
      outgoing.end(body);
    });
  return {
    pid: child.pid ?? 0,
    url,
    cid,
    token: () => token,
    send,
    renew: async () => {
      const body = new URLSearchParams({ client_id, client_secret }).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await send({ method: "POST", address: "/oauth2/token", headers, body });
      token = (JSON.parse(answer.text) as { readonly access_token: string }).access_token;
    },
    longestTurn: () => longestTurn(probe),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    log: () => log,
    stop: async () => {
      agent.destroy();
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
