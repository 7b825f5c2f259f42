import {
  createLogger,
  grantToken,
  startServer,
  StoreError,
  systemClock,
  type BlobStore,
  type RunningServer,
  type Store,
} from "@security-platform/server";
import { openFiles } from "../../database/files.ts";
import { makeFolder } from "../../database/folder.ts";
import { open } from "../../database/open.ts";
import { databaseUrl, dataFolder, printableUrl } from "../../database/url.ts";
import type { DemoCredentials } from "../../demo/credentials.ts";
import { ensureDemo } from "../../demo/ensure-demo.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import { systemCode } from "../../terminal/describe-error.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { version } from "../../version.ts";
import { docsFolder } from "./docs-folder.ts";
import { greetPerson, greetScript, type Greeting, type SignedInDemo } from "./greeting.ts";
import { calledAs } from "./called-as.ts";
import { readLimits } from "./limits.ts";
import type { ServeOptions } from "./serve-options.ts";

/** Runs until it is asked to stop. */
export async function serve(options: ServeOptions, surroundings: Surroundings): Promise<void> {
  const stopped = surroundings.stopAsked();
  const docs = docsFolder(options.docs, surroundings);
  const blobs = openFiles(options, surroundings);
  const store = await open({ ...options, create: true }, surroundings);
  try {
    const demo = options.demo ? await prepareDemo(options, surroundings, store, blobs) : null;
    const server = await start(options, surroundings, { store, blobs }, docs);
    const greeting = await greetingOf(server, store, demo);
    surroundings.stdout.write(
      options.json === true
        ? greetScript(greeting)
        : greetPerson(greeting, calledAs(surroundings.environment)),
    );
    warnOfStrangers(options.host, surroundings);
    await stopped;
    await server.close();
  } finally {
    await store.close();
  }
}

function prepareDemo(
  options: ServeOptions,
  surroundings: Surroundings,
  store: Store,
  blobs: BlobStore,
): Promise<DemoCredentials | null> {
  const folder = dataFolder(options, surroundings);
  makeFolder(folder);
  return ensureDemo(store, blobs, folder);
}

async function start(
  options: ServeOptions,
  surroundings: Surroundings,
  stores: { readonly store: Store; readonly blobs: BlobStore },
  docs: string | null,
): Promise<RunningServer> {
  const { host, port, publicUrl, envelope = false, dev = false, logLevel } = options;
  try {
    return await startServer({
      ...stores,
      clock: systemClock,
      logger: createLogger(logLevel),
      config: {
        host,
        port,
        databaseUrl: databaseUrl(options, surroundings),
        ...(publicUrl === undefined ? {} : { publicUrl }),
        envelope,
        docsFolder: docs,
        development: dev,
        limits: readLimits({ ...options }),
      },
    });
  } catch (error) {
    if (!["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(systemCode(error) ?? "")) throw error;
    throw new CommandError(
      `--host: "${host}" is no address of this machine; expected 127.0.0.1, ::1, 0.0.0.0 or one of its own`,
    );
  }
}

async function greetingOf(
  { url, context }: RunningServer,
  store: Store,
  demo: DemoCredentials | null,
): Promise<Greeting> {
  const { docsFolder: docs, databaseUrl: database, limits } = context.config;
  const reachable = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  return {
    url: reachable,
    docs_url: docs === null ? null : `${reachable}/docs/`,
    database: printableUrl(database),
    ready_milliseconds: Math.round(performance.now()),
    process_id: process.pid,
    version: version(),
    demo: demo === null ? null : await signIn(store, demo, limits.tokenSeconds),
  };
}

/** Null when the demo's client was deleted, or its secret is another by now. */
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
    // Anything else is trouble with the database, which must not pass for a deleted client.
    if (error instanceof StoreError) throw error;
    return null;
  }
}

function warnOfStrangers(host: string, { stderr }: Surroundings): void {
  if (/^(localhost|127\.|::1$)/.test(host)) return;
  stderr.write(
    `secplat: ${host} can be reached from other machines, without encryption; put TLS in front of it\n`,
  );
}
