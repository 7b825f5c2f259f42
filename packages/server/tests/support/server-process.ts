import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { secplatArguments } from "../../../../testing/secplat.ts";
import { firstKey } from "./secret-keys.ts";

/** `secplat serve` in a separate process, ready for requests. */
export interface ServerProcess {
  readonly url: string;
  /** The demo's token and client. */
  readonly token: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Everything that it wrote so far. */
  readonly written: { readonly stdout: string; readonly stderr: string };
  /** Resolves when `accept` is true of the log lines written so far. */
  logged(accept: (lines: readonly LogLine[]) => boolean): Promise<readonly LogLine[]>;
  /**
   * Ends it with a signal; SIGKILL is like a power cut: no handler runs. Resolves with the exit
   * code.
   */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export type LogLine = Readonly<Record<string, unknown>>;

export interface ServerProcessOptions {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly words?: readonly string[];
}

/** Registers a clean-up for the end of a test or suite. */
type Finish = (cleanUp: () => Promise<void> | void) => void;

/** A temporary folder of the running test. */
export function temporaryFolder(finish: Finish = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "secplat-server-"));
  finish(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Starts it on a free port and stops it after the test. */
export async function serve(
  { folder, databaseUrl, words = [] }: ServerProcessOptions,
  finish: Finish = onTestFinished,
): Promise<ServerProcess> {
  // The databases of tests have their secrets encrypted with this key.
  const keyFile = join(folder, "test-secrets.key");
  writeFileSync(keyFile, `${firstKey.key.export().toString("base64")}\n`, { mode: 0o600 });
  const options = ["--port", "0", "--json", "--overload-delay", "0", "--data", folder];
  options.push("--secrets-key", keyFile, ...words);
  const child = spawn(process.execPath, [...secplatArguments, "serve", ...options], {
    env: { ...process.env, SECPLAT_DATABASE: databaseUrl },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => resolve(code));
  });
  for (const output of ["stdout", "stderr"] as const) {
    child[output].setEncoding("utf8").on("data", (text: string) => {
      written[output] += text;
    });
  }
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  finish(async () => {
    await end("SIGKILL");
  });
  /** Resolves with the first value that `look` finds in the output. */
  const watch = <Found>(look: () => Found | null): Promise<Found> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = look();
        if (found !== null) resolve(found);
      };
      child.stdout.on("data", check);
      child.stderr.on("data", check);
      child.once("close", () => reject(new Error(`the server ended: ${written.stderr}`)));
      check();
    });
  const greeting = await watch(() => (written.stdout.endsWith("}\n") ? written.stdout : null));
  const { url, access_token, client_id, client_secret } = JSON.parse(greeting) as Record<
    "url" | "access_token" | "client_id" | "client_secret",
    string
  >;
  return {
    url,
    token: access_token,
    client: { client_id, client_secret },
    written,
    logged: (accept) =>
      watch(() => {
        const lines = linesOf(written.stderr);
        return accept(lines) ? lines : null;
      }),
    end,
  };
}

const linesOf = (text: string): readonly LogLine[] =>
  text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as LogLine] : []));
