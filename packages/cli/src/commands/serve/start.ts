import {
  createLogger,
  isLoopback,
  startServer,
  storyHostFiles,
  type Limits,
  type RunningServer,
  type ServerConfig,
} from "@security-platform/server/internal";
import { databaseUrl } from "../../database/url.ts";
import type { DemoCredentials } from "../../demo/credentials.ts";
import { systemCode } from "../../terminal/describe-error.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { version } from "../../version.ts";
import { docsFolder } from "./docs-folder.ts";
import { readLimits } from "./limits.ts";
import { readMail } from "./mail.ts";
import { readOutgoing } from "./outgoing.ts";
import { readRtrRoot } from "./rtr-root.ts";
import type { Stores } from "./prepare.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { Tls } from "./tls.ts";
import type { Assignment } from "./workers/assignment.ts";

/** The server's configuration from the command's options. */
export function configOf(
  options: ServeOptions,
  context: CliContext,
  tls: Tls | null,
): ServerConfig {
  const { host, port, publicUrl, compat, envelope, dev = false, docs, jobs, companion } = options;
  return {
    host,
    port,
    databaseUrl: databaseUrl(options, context),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    trustedProxies: options.trustProxy ?? [],
    corsOrigins: corsOrigins(options),
    ...(tls === null ? {} : { tls: tls.config }),
    compat: compat === true || envelope === true,
    companion,
    docsFolder: docsFolder(docs, context),
    development: dev,
    backgroundWork: jobs,
    mail: readMail(options),
    outgoing: readOutgoing(options),
    ...readRtrRoot(options, context),
    limits: readLimits({ ...options }),
  };
}

/**
 * The origins whose pages may call the server. Default: those of this machine, for a demo that only this machine
 * reaches.
 */
function corsOrigins({ corsOrigin, demo, host }: ServeOptions): readonly string[] {
  if (corsOrigin !== undefined) return corsOrigin.filter((origin) => origin !== "none");
  return demo && isLoopback(host) ? ["loopback"] : [];
}

/** The configuration of a server whose pages show the credentials of the demo. */
export const withDemo = (config: ServerConfig, demo: DemoCredentials | null): ServerConfig =>
  demo === null
    ? config
    : { ...config, demoClient: { id: demo.client_id, secret: demo.client_secret } };

/** Starts the server in this process. Log lines contain the name `worker`. */
export async function start(
  { logLevel, demo, metricsPort }: Pick<ServeOptions, "demo" | "logLevel" | "metricsPort">,
  config: ServerConfig,
  stores: Stores,
  shared: {
    readonly worker: Pick<Assignment, "number" | "count">;
    readonly limits: Limits;
  } | null = null,
): Promise<RunningServer> {
  const hostFiles =
    demo && config.rtrRoot === undefined ? await storyHostFiles(stores.store) : null;
  return explainHost(config.host, () =>
    startServer({
      ...stores,
      logger: createLogger(logLevel, process.stderr, shared?.worker),
      config,
      ...(metricsPort === undefined ? {} : { metrics: { version: version() } }),
      ...(shared === null ? {} : { limits: shared.limits }),
      ...(hostFiles === null ? {} : { hostFiles }),
    }),
  );
}

/** Rephrases system errors for an address that does not belong to this machine. */
export async function explainHost<Result>(
  host: string,
  listen: () => Promise<Result>,
  option = "--host",
): Promise<Result> {
  try {
    return await listen();
  } catch (error) {
    if (!["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(systemCode(error) ?? "")) throw error;
    throw new CommandError(
      `${option}: "${host}" is not an address of this machine; expected 127.0.0.1, ::1, 0.0.0.0 or another of its addresses`,
    );
  }
}
