import { spawn, type ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import { run } from "../../../packages/cli/src/program.ts";
import { noSignals } from "../../../packages/cli/src/terminal/keep-signals.ts";
import { secplatArguments } from "../../../testing/secplat.ts";
import { siteFolder } from "./places.ts";

/** A server with its output. */
export interface Platform {
  readonly url: string;
  /** The complete output until the server was ready. */
  readonly greeting: string;
  readonly clientId: string;
  readonly clientSecret: string;
  stop(): Promise<void>;
}

/** Without the overload limit, which would be reached on a busy machine. */
const everywhere = ["--port", "0", "--overload-delay", "0", "--docs", siteFolder];

const isReady = (printed: string): boolean => printed.includes("Ctrl-C stops it");

const endedEarly = (code: number | null, printed: string): Error =>
  new Error(`secplat serve ended with ${code ?? "a signal"} before it was ready:\n${printed}`);

/** Starts `secplat serve` in `folder` as a user does: in a new process. On a free port, with the built site. */
export async function startPlatform(folder: string): Promise<Platform> {
  const child = spawn(process.execPath, [...secplatArguments, "serve", ...everywhere], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return platformOf(await untilReady(child), () => stop(child));
}

/**
 * Runs `secplat serve` in the process of the tests, which takes a fraction of the time because the
 * program is already loaded. Pages that show the first start use `startPlatform`.
 */
export async function servePlatform(
  folder: string,
  options: readonly string[] = [],
): Promise<Platform> {
  const ready = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  let printed = "";
  const write = (text: string): void => {
    printed += text;
    if (isReady(printed)) ready.resolve(printed);
  };
  const ended = run(["serve", ...everywhere, "--log-level", "silent", ...options], {
    stdin: Readable.from([]),
    stdout: { write },
    stderr: { write },
    environment: process.env,
    workingFolder: folder,
    stopRequested: () => stopped.promise,
    interruption: () => new AbortController().signal,
    signals: noSignals,
    endSoon: () => undefined,
    onHangUp: () => undefined,
  });
  void ended.then((code) => ready.reject(endedEarly(code, printed)));
  return platformOf(await ready.promise, async () => {
    stopped.resolve();
    await ended;
  });
}

function platformOf(greeting: string, stopServer: () => Promise<void>): Platform {
  const find = (label: string): string =>
    new RegExp(`^ *${label} +(\\S+)$`, "m").exec(greeting)?.[1] ?? "";
  return {
    url: find("base URL"),
    greeting,
    clientId: find("client id"),
    clientSecret: find("client secret"),
    stop: stopServer,
  };
}

function untilReady(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (isReady(printed)) resolve(printed);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.once("exit", (code) => reject(endedEarly(code, printed)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
