import type { LogLevel } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { addFilesOption } from "../../database/files.ts";
import { addDatabaseOptions } from "../../database/options.ts";
import { readChoice } from "../../options/read-choice.ts";
import { readCorsOrigins } from "../../options/read-cors-origins.ts";
import { readInteger } from "../../options/read-integer.ts";
import { readNetworks } from "../../options/read-networks.ts";
import { readPublicUrl } from "../../options/read-public-url.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addLimitOptions } from "./limits.ts";
import { addMailOptions } from "./mail.ts";
import { addOutgoingOptions } from "./outgoing.ts";
import { addRtrRootOption } from "./rtr-root.ts";
import type { ServeOptions } from "./serve-options.ts";
import { addTlsOptions } from "./tls.ts";

const logLevels = [
  "debug",
  "info",
  "warn",
  "error",
  "silent",
] as const satisfies readonly LogLevel[];

export function addServeCommand(program: Command, context: CliContext): void {
  const command = program
    .command("serve")
    .description(
      "Start the server. An empty database gets a small demo world and a client; every start prints " +
        "the client's credentials. Standard output contains only the greeting; logs go to standard error.",
    )
    .addOption(
      new Option("--host <address>", "address to listen on")
        .env("SECPLAT_HOST")
        .argParser(readText("an address such as 127.0.0.1"))
        .default("127.0.0.1"),
    )
    .addOption(
      new Option("--port <number>", "port to listen on; 0 selects a free port")
        .env("SECPLAT_PORT")
        .argParser(readInteger(0, 65_535))
        .default(8080),
    )
    .addOption(
      new Option(
        "--metrics-port <number>",
        "port for /metrics, in the format of Prometheus, without a token; 0 selects a free port (default: no metrics)",
      )
        .env("SECPLAT_METRICS_PORT")
        .argParser(readInteger(0, 65_535)),
    )
    .addOption(
      new Option("--metrics-host <address>", "address to listen on for /metrics")
        .env("SECPLAT_METRICS_HOST")
        .argParser(readText("an address such as 127.0.0.1"))
        .default("127.0.0.1"),
    )
    .addOption(
      new Option(
        "--workers <number>",
        "number of server processes; if more than 1, an additional process manages them",
      )
        .env("SECPLAT_WORKERS")
        .argParser(readInteger(1, 64))
        .default(1),
    )
    .addOption(
      new Option(
        "--drain-delay <seconds>",
        "time between a stop signal and the end of new connections: /readyz responds with 503, and responses close their connections",
      )
        .env("SECPLAT_DRAIN_DELAY")
        .argParser(readInteger(0, 3_600))
        .default(0),
    )
    .addOption(
      new Option(
        "--public-url <url>",
        "public URL of the platform, also with the path that a proxy removes, for links (default: taken from the request)",
      )
        .env("SECPLAT_PUBLIC_URL")
        .argParser(readPublicUrl),
    )
    .addOption(
      new Option(
        "--trust-proxy <network>",
        "address or network of a trusted proxy, whose X-Forwarded-For, -Proto, -Host and -Prefix headers are used; repeatable (default: none)",
      )
        .env("SECPLAT_TRUST_PROXY")
        .argParser(readNetworks),
    )
    .addOption(
      new Option(
        "--cors-origin <origin>",
        "origin whose pages may call the server from a browser, * for all, loopback or none; repeatable " +
          "(default: loopback for a demo on a loopback address, otherwise none)",
      )
        .env("SECPLAT_CORS_ORIGIN")
        .argParser(readCorsOrigins),
    )
    .option("--no-demo", "do not fill an empty database")
    .option(
      "--compat",
      "mode for existing clients: every success is {meta, resources, errors}, and requests are accepted as these clients send them",
    )
    .option("--envelope", "same as --compat")
    .option(
      "--docs <folder>",
      "built documentation site to serve under /docs (default: the packaged site)",
    )
    .option("--no-docs", "do not serve documentation")
    .option(
      "--no-companion",
      "do not serve the companion operations, which are not part of the API",
    )
    .option("--no-jobs", "leave background jobs to other servers on the same database")
    .option("--dev", "add the development control plane under /_control")
    .addOption(
      new Option("--log-level <level>", `log level, as JSON lines: ${logLevels.join(", ")}`)
        .env("SECPLAT_LOG_LEVEL")
        .argParser(readChoice(logLevels))
        .default("warn")
        .helpGroup("Output:"),
    )
    .addOption(jsonOption());
  const stored = addFilesOption(addDatabaseOptions(command));
  addLimitOptions(addOutgoingOptions(addTlsOptions(addMailOptions(addRtrRootOption(stored)))))
    .addHelpText(
      "after",
      `
Examples:
  secplat serve
  secplat serve --workers 4
  secplat serve --port 0 --json | head -1 | jq -r .url
  SECPLAT_DATABASE=postgres://user:password@host/name secplat serve --host 0.0.0.0 --no-demo

SIGTERM and Ctrl-C finish the requests in progress and exit with 0; a second one stops at once.
SIGHUP reads the certificate again. In a terminal it stops the server.`,
    )
    .action(async (options: ServeOptions) => {
      // The server takes most of the time to load, and the help does without it.
      const { serve } = await import("./serve.ts");
      await serve(options, context);
    });
}
