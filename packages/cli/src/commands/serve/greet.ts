import {
  grantToken,
  isLoopback,
  siteProblem,
  StoreError,
  systemClock,
  type ServerConfig,
  type Store,
} from "@security-platform/server/internal";
import { otherServer } from "./claim-folder.ts";
import { announceServer } from "../../api/running-server.ts";
import { exposedFiles } from "../../database/exposed-files.ts";
import { makeFolder } from "../../database/folder.ts";
import { dataFolder, isInMemory, printableUrl } from "../../database/url.ts";
import type { DemoCredentials } from "../../demo/credentials.ts";
import { printable } from "../../terminal/printable.ts";
import { argumentWord } from "../../terminal/shell-word.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { version } from "../../version.ts";
import { lifetimeProblem } from "./certificate-files.ts";
import { calledAs } from "./called-as.ts";
import { cureOfDocs } from "./docs-folder.ts";
import { greetPerson, greetScript, type SignedInDemo } from "./greeting.ts";
import { howToCreateClient } from "./new-client.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { Tls } from "./tls.ts";

interface Served {
  readonly url: string;
  readonly config: ServerConfig;
  /** Null without TLS. */
  readonly tls: Tls | null;
  readonly store: Store;
  /** Null without metrics. */
  readonly metricsUrl: string | null;
  readonly demo: DemoCredentials | null;
}

/**
 * Prints everything needed for a first request, and a warning if other machines can reach the
 * server.
 */
export async function greet(
  options: ServeOptions,
  context: CliContext,
  { url, config, tls, store, metricsUrl, demo }: Served,
): Promise<void> {
  const { json, workers, host } = options;
  const { stdout, stderr, environment } = context;
  const { docsFolder: docs, databaseUrl: database, limits } = config;
  const reachable = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  const problem = docs === null ? null : await siteProblem(docs);
  const greeting = {
    url: reachable,
    docs_url: docs === null || problem !== null ? null : `${reachable}/docs/`,
    ca_file: tls?.caFile ?? null,
    metrics_url: metricsUrl,
    database: printableUrl(database),
    ready_milliseconds: Math.round(performance.now() - startOfServing()),
    process_id: process.pid,
    workers,
    version: version(),
    demo: demo === null ? null : await signIn(store, demo, limits.tokenSeconds),
  };
  const { process_id, ca_file } = greeting;
  const folder = dataFolder(options, context);
  if ((await otherServer(folder)) === undefined) {
    if (!isInMemory(database)) createFolder(folder);
    announceServer(folder, { url: reachable, process_id, ca_file });
  }
  if (json === true) stdout.write(greetScript(greeting));
  else {
    const isNew = greeting.demo === null;
    const newClient = isNew ? await howToCreateClient(store, options, calledAs(environment)) : [];
    stdout.write(greetPerson(greeting, newClient));
  }
  if (problem !== null) {
    stderr.write(
      `secplat: the documentation is not served: ${printable(problem.message)}; ${cureOfDocs}\n`,
    );
  }
  for (const { file, mode } of exposedFiles(options, context)) {
    stderr.write(
      `secplat: other users can read ${printable(file)} (mode ${mode}); run: chmod 600 ${argumentWord(file)}\n`,
    );
  }
  if (metricsUrl !== null && !isLoopback(options.metricsHost)) {
    stderr.write(
      `secplat: other machines can read ${metricsUrl} without a token; let only your monitoring reach this port\n`,
    );
  }
  const refused = tls === null ? null : lifetimeProblem(tls.config.cert, systemClock.now());
  if (refused !== null) stderr.write(`secplat: --tls-cert: ${refused}\n`);
  if (isLoopback(host)) return;
  if (tls !== null) return;
  stderr.write(
    `secplat: other machines can reach ${host}, without encryption; put TLS in front of it\n`,
  );
}

/** Creates the folder for commands of this machine. Beside PostgreSQL, a server may have needed none, and works without. */
function createFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch {
    // Commands then need the URL of the server.
  }
}

/** Null if the demo's client was deleted or its secret was changed. */
async function signIn(
  store: Store,
  demo: DemoCredentials,
  seconds: number,
): Promise<SignedInDemo | null> {
  const { client_id: clientId, client_secret: secret } = demo;
  try {
    const grant = await grantToken(store, systemClock, seconds, { clientId, secret });
    return { ...demo, access_token: grant.access_token, expires_in: grant.expires_in };
  } catch (error) {
    // Any other error is a database problem, not a deleted client.
    if (error instanceof StoreError) throw error;
    return null;
  }
}

/** Milliseconds since the start of the process: `npm start` builds first, and marks the end of that. */
const startOfServing = (): number =>
  performance.getEntriesByName("secplat: built")[0]?.startTime ?? 0;
