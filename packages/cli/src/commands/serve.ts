import { existsSync } from "node:fs";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  createLogger,
  defaultLimits,
  grantToken,
  startServer,
  systemClock,
  type LogLevel,
  type RunningServer,
  type Store,
} from "@security-platform/server";
import { Option, type Command } from "commander";
import {
  addDatabaseOptions,
  dataFolder,
  databaseUrl,
  open,
  type DatabaseOptions,
} from "../database.ts";
import { ensureDemo, type DemoCredentials } from "../demo.ts";
import { readInteger } from "../options.ts";
import { stopSignal } from "../terminal/stop-signal.ts";
import type { Surroundings } from "../terminal/streams.ts";

interface ServeOptions extends DatabaseOptions {
  readonly host: string;
  readonly port: number;
  readonly demo: boolean;
  readonly envelope: boolean;
  readonly docs: boolean | string;
  readonly dev: boolean;
  readonly logLevel: LogLevel;
  readonly rateLimit: number;
  readonly tokenRateLimit: number;
  readonly failureLimit: number;
  readonly bodyLimit: number;
  readonly requestTimeout: number;
}

export function addServeCommand(program: Command, surroundings: Surroundings): void {
  addDatabaseOptions(program.command("serve"))
    .description("run the platform; an empty database gets a small demo world and a client")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(
      new Option("--port <number>", "port to listen on; 0 takes a free one")
        .env("SECPLAT_PORT")
        .argParser(readInteger(0, 65_535))
        .default(8080),
    )
    .option("--no-demo", "leave an empty database empty")
    .option("--envelope", "answer every success as {meta, resources, errors}", false)
    .option("--docs <folder>", "serve this built documentation site under /docs")
    .option("--no-docs", "serve no documentation")
    .option("--dev", "add the development control plane under /_control", false)
    .addOption(
      new Option("--log-level <level>", "what to log, as JSON lines on standard error")
        .choices(["debug", "info", "warn", "error", "silent"])
        .default("warn"),
    )
    .option(
      "--rate-limit <count>",
      "requests a minute per tenant; 0: no limit",
      readInteger(0),
      defaultLimits.requestsPerMinute,
    )
    .option(
      "--token-rate-limit <count>",
      "token requests a minute per address; 0: no limit",
      readInteger(0),
      defaultLimits.tokenRequestsPerMinute,
    )
    .option(
      "--failure-limit <count>",
      "failed authentications a minute per address; 0: no limit",
      readInteger(0),
      defaultLimits.failedAuthenticationsPerMinute,
    )
    .option(
      "--body-limit <bytes>",
      "largest JSON body",
      readInteger(1_024),
      defaultLimits.bodyBytes,
    )
    .option(
      "--request-timeout <milliseconds>",
      "time in which a request must have arrived",
      readInteger(100),
      defaultLimits.requestMilliseconds,
    )
    .action((options: ServeOptions) => serve(options, surroundings));
}

async function serve(options: ServeOptions, surroundings: Surroundings): Promise<void> {
  const startedAt = performance.now();
  const stopped = stopSignal();
  const store = await open(options, surroundings);
  try {
    const folder = dataFolder(options, surroundings);
    mkdirSync(folder, { recursive: true });
    const demo = options.demo ? await ensureDemo(store, folder) : null;
    const server = await start(options, surroundings, store);
    surroundings.stdout.write(
      await greeting(server, store, demo, databaseUrl(options, surroundings), startedAt),
    );
    await stopped;
    await server.close();
  } finally {
    await store.close();
  }
}

function start(
  options: ServeOptions,
  surroundings: Surroundings,
  store: Store,
): Promise<RunningServer> {
  return startServer({
    store,
    clock: systemClock,
    logger: createLogger(options.logLevel),
    config: {
      host: options.host,
      port: options.port,
      databaseUrl: databaseUrl(options, surroundings),
      envelope: options.envelope,
      docsFolder: docsFolder(options.docs),
      development: options.dev,
      limits: {
        ...defaultLimits,
        requestsPerMinute: options.rateLimit,
        tokenRequestsPerMinute: options.tokenRateLimit,
        failedAuthenticationsPerMinute: options.failureLimit,
        bodyBytes: options.bodyLimit,
        requestMilliseconds: options.requestTimeout,
      },
    },
  });
}

/** The site is packed beside the built CLI; in a checkout it stands in `docs/`. */
function docsFolder(given: boolean | string): string | null {
  if (given === false) return null;
  if (typeof given === "string") return given;
  const places = ["../docs", "../../../../docs/.vitepress/dist"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(`${place}/index.html`)) ?? null;
}

/** What a person needs to make a first request, ready to paste. */
async function greeting(
  { url, context }: RunningServer,
  store: Store,
  demo: DemoCredentials | null,
  database: string,
  startedAt: number,
): Promise<string> {
  const lines = [
    `Security Platform API, ready in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
    "",
    `  base URL       ${url}`,
    ...(context.config.docsFolder === null ? [] : [`  documentation  ${url}/docs/`]),
    `  database       ${database.replace(/:[^:@/]*@/, ":…@")}`,
  ];
  const token =
    demo === null ? null : await demoToken(store, demo, context.config.limits.tokenSeconds);
  if (demo === null || token === null) {
    return `${[...lines, "", "Make a client with: secplat clients create <name>", "", "Ctrl-C stops it.", ""].join("\n")}\n`;
  }
  return `${[
    ...lines,
    `  client id      ${demo.client_id}`,
    `  client secret  ${demo.client_secret}`,
    "",
    "A first request (its token lasts half an hour):",
    "",
    `  curl -H 'Authorization: Bearer ${token}' '${url}/iocs/combined/indicator/v1?limit=2'`,
    "",
    "A new token:",
    "",
    `  curl -d client_id=${demo.client_id} -d client_secret=${demo.client_secret} ${url}/oauth2/token`,
    "",
    "Ctrl-C stops it; everything is kept.",
  ].join("\n")}\n`;
}

/** Null when the demo client was deleted or its secret rotated since. */
async function demoToken(
  store: Store,
  demo: DemoCredentials,
  seconds: number,
): Promise<string | null> {
  try {
    const grant = await grantToken(store.directory, systemClock, seconds, {
      clientId: demo.client_id,
      secret: demo.client_secret,
    });
    return grant.access_token;
  } catch {
    return null;
  }
}
