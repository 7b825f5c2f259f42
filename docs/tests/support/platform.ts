import { spawn, type ChildProcess } from "node:child_process";
import { secplatArguments } from "../../../testing/secplat.ts";
import { siteFolder } from "./places.ts";

/** A server that is started like a user would start it, with its output. */
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

/** Starts `secplat serve` in `folder` on a free port, with the built site. */
export async function startPlatform(
  folder: string,
  options: readonly string[] = [],
): Promise<Platform> {
  const child = spawn(process.execPath, [...secplatArguments, "serve", ...everywhere, ...options], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const greeting = await untilReady(child);
  const find = (label: string): string =>
    new RegExp(`^ *${label} +(\\S+)$`, "m").exec(greeting)?.[1] ?? "";
  return {
    url: find("base URL"),
    greeting,
    clientId: find("client id"),
    clientSecret: find("client secret"),
    stop: () => stop(child),
  };
}

function untilReady(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (/Ctrl-C stops it/.test(printed)) resolve(printed);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.once("exit", (code) => {
      reject(
        new Error(
          `secplat serve ended with ${code ?? "a signal"} before it was ready:\n${printed}`,
        ),
      );
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
