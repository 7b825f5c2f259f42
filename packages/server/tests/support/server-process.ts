import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createClient } from "../../src/access/clients.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { resources } from "../../src/platform/resources.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { secplatArguments } from "../../../../testing/secplat.ts";
import { allScopes } from "./api.ts";
import { createBareTenant, describeTenant } from "./bare-tenant.ts";
import { firstKey, testKeys } from "./secret-keys.ts";

/** `secplat serve` in a separate process, ready for requests. */
export interface ServerProcess {
  readonly url: string;
  /** Of a tenant without records. */
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

/**
 * Creates the tenant and the client that the server greets with. Otherwise its first start generates
 * a demo world, which takes longer than the start itself.
 */
async function prepareClient({ folder, databaseUrl }: ServerProcessOptions): Promise<void> {
  const file = join(folder, "credentials.json");
  if (existsSync(file)) return;
  const store = await openStoreAt({
    url: databaseUrl,
    clock: systemClock,
    resources,
    keys: testKeys,
    durable: false,
  });
  const tenant = describeTenant(systemClock, "served");
  const { cid } = tenant;
  await createBareTenant(store, tenant);
  const { client_id, client_secret } = await createClient(store.directory, systemClock, {
    cid,
    name: "client",
    scopes: allScopes,
  });
  await store.close();
  writeFileSync(file, JSON.stringify({ client_id, client_secret, cid }), { mode: 0o600 });
}

/** Starts it on a free port and stops it after the test. */
export async function serve(
  options: ServerProcessOptions,
  finish: Finish = onTestFinished,
): Promise<ServerProcess> {
  const { folder, databaseUrl, words = [] } = options;
  await prepareClient(options);
  // The databases of tests have their secrets encrypted with this key.
  const keyFile = join(folder, "test-secrets.key");
  writeFileSync(keyFile, `${firstKey.key.export().toString("base64")}\n`, { mode: 0o600 });
  const always = ["--port", "0", "--json", "--overload-delay", "0"];
  const all = [...always, "--data", folder, "--secrets-key", keyFile, ...words];
  const child = spawn(process.execPath, [...secplatArguments, "serve", ...all], {
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
        const value = look();
        if (value !== null) resolve(value);
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
