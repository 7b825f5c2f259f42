import {
  defaultDatabaseLimits,
  defaultOutgoing,
  mailboxOf,
  networkOf,
  smtpOptions,
  type LogLevel,
} from "@security-platform/server/internal";
import { InvalidArgumentError } from "commander";
import { databaseProblem } from "../options/database-problem.ts";
import { readAddress } from "../options/read-address.ts";
import { readChoice } from "../options/read-choice.ts";
import { readCorsOrigins } from "../options/read-cors-origins.ts";
import { readNetworks } from "../options/read-networks.ts";
import { readReplica } from "../options/read-replica.ts";
import { readPublicUrl } from "../options/read-public-url.ts";
import { readText } from "../options/read-text.ts";
import { limitSettings } from "./limit-settings.ts";
import { aSwitch, integer, list, longestTimer, text } from "./make-setting.ts";
import type { Setting } from "./setting-types.ts";

const logLevels = [
  "debug",
  "info",
  "warn",
  "error",
  "silent",
] as const satisfies readonly LogLevel[];

const aPort = { minimum: 0, maximum: 65_535 };

const addresses: readonly Setting[] = [
  text("host", "address", "address to listen on", { default: "127.0.0.1", read: readAddress }),
  integer("port", "number", "port to listen on; 0 selects a free port", {
    ...aPort,
    default: 8080,
  }),
  integer(
    "metrics-port",
    "number",
    "port for /metrics, in the format of Prometheus, without a token; 0 selects a free port (default: no metrics)",
    aPort,
  ),
  text("metrics-host", "address", "address to listen on for /metrics", {
    default: "127.0.0.1",
    read: readAddress,
  }),
  integer(
    "workers",
    "number",
    "number of server processes; if more than 1, an additional process manages them",
    { minimum: 1, maximum: 64, default: 1 },
  ),
  integer(
    "database-connections",
    "number",
    "PostgreSQL: maximum number of connections of this server with all its workers, half of them for reads " +
      "(default: 20, or 40 for several workers)",
    { minimum: 4, maximum: 10_000 },
  ),
  text(
    "database-replica",
    "url",
    "PostgreSQL: postgres://user@host/name of a streaming replica, for requests that only read; it has as many " +
      "connections for reads, and one more; pass a password in the variable (default: none)",
    { read: readReplica, isSecret: true },
  ),
  integer(
    "drain-delay",
    "seconds",
    "time between a stop signal and the end of new connections: /readyz responds with 503, and responses close their connections",
    { minimum: 0, maximum: 3_600, default: 0 },
  ),
  text(
    "public-url",
    "url",
    "public URL of the platform, also with the path that a proxy removes, for links (default: taken from the request)",
    { read: readPublicUrl, isSecret: true },
  ),
  list(
    "trust-proxy",
    "network",
    "address or network of a trusted proxy, whose X-Forwarded-For, -Proto, -Host and -Prefix headers are used; repeatable (default: none)",
    { read: readNetworks },
  ),
  list(
    "cors-origin",
    "origin",
    "origin whose pages may call the server from a browser, * for all, loopback or none; repeatable " +
      "(default: loopback for a demo on a loopback address, otherwise none)",
    { read: readCorsOrigins },
  ),
];

const parts: readonly Setting[] = [
  aSwitch("demo", "do not fill an empty database", { default: true }),
  aSwitch(
    "compat",
    "mode for existing clients: every success is {meta, resources, errors}, and requests are accepted as these clients send them",
    { default: false, alias: "envelope" },
  ),
  text(
    "docs",
    "folder",
    "built documentation site to serve under /docs (default: the packaged site)",
    { read: readText("a folder"), off: "do not serve documentation" },
  ),
  aSwitch("companion", "do not serve the companion operations, which are not part of the API", {
    default: true,
  }),
  aSwitch("jobs", "leave background jobs to other servers on the same database", { default: true }),
  aSwitch("dev", "add the development control plane under /_control", { default: false }),
  text("log-level", "level", `log level, as JSON lines: ${logLevels.join(", ")}`, {
    default: "warn",
    choices: logLevels,
    read: readChoice(logLevels),
    group: "Output:",
  }),
];

const group = "Database:";

/** The settings of every command that opens the database. */
export const databaseSettings: readonly Setting[] = [
  text("data", "folder", "folder of the database and of the demo's credentials", {
    default: ".data",
    read: readText("a folder"),
    group,
  }),
  text(
    "database",
    "url",
    "sqlite:<path> or postgres://user@host/name (default: SQLite in the data folder); " +
      "do not put a password here, because other users can see arguments: set the variable, or PGPASSWORD",
    { problem: databaseProblem, isSecret: true, group },
  ),
  text(
    "secrets-key",
    "file",
    "file with the keys that encrypt secrets in the database (default: secrets.key beside a SQLite " +
      "database, otherwise in the data folder)",
    { read: readText("a file"), group },
  ),
  aSwitch(
    "prepare",
    "PostgreSQL: do not prepare statements, as if the pooler could not keep those of its clients apart",
    { default: true, group },
  ),
  integer(
    "connect-timeout",
    "milliseconds",
    "PostgreSQL: maximum time for connecting, and for waiting for a free connection",
    {
      minimum: 1,
      maximum: longestTimer,
      default: defaultDatabaseLimits.connectMilliseconds,
      group,
    },
  ),
  integer("statement-timeout", "milliseconds", "maximum time of a statement; 0: no limit", {
    minimum: 0,
    maximum: longestTimer - 60_000,
    default: defaultDatabaseLimits.statementMilliseconds,
    group,
  }),
];

/** The settings of every command that opens the object store. */
export const filesSettings: readonly Setting[] = [
  text(
    "files",
    "url",
    "file:<folder> or s3://<bucket>/<prefix>?endpoint=<url>&region=<name>, the latter with " +
      "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (default: blobs in the data folder)",
    { read: readText("file:<folder> or s3://<bucket>/<prefix>"), isSecret: true, group },
  ),
];

const hosts: readonly Setting[] = [
  text(
    "rtr-root",
    "folder",
    "folder with a subfolder for each host, named by host id; files for cases are fetched from it. " +
      "Files that sessions fetched earlier are in sessions/<session>/<host>/<sha256>/ " +
      "(default: none, and requested files wait)",
    { read: readText("a folder") },
  ),
];

/** Validates a text with `check`. */
const reading =
  (check: (text: string) => unknown) =>
  (value: string): string => {
    try {
      check(value);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof URIError)) throw error;
      throw new InvalidArgumentError(`${capitalised(error.message)}.`);
    }
    return value;
  };

const capitalised = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1);

export const mailSettings: readonly Setting[] = [
  text(
    "smtp-url",
    "url",
    "mail server, smtp://user:password@host:port or smtps://…; pass a password in the " +
      "variable (default: mails stay in the outbox)",
    { read: reading(smtpOptions), isSecret: true, group: "Mail:" },
  ),
  text("mail-from", "address", "sender of mails: an address, or Name <address>", {
    read: reading(mailboxOf),
    group: "Mail:",
  }),
];

const tlsSettings: readonly Setting[] = [
  aSwitch("tls", "serve https with a generated certificate for localhost and 127.0.0.1", {
    default: false,
    group: "TLS:",
  }),
  text("tls-cert", "file", "serve https with this certificate (PEM, with its chain)", {
    read: readText("a file"),
    group: "TLS:",
  }),
  text("tls-key", "file", "private key of --tls-cert (PEM)", {
    read: readText("a file"),
    group: "TLS:",
  }),
];

/** The flag takes one network; the variable may contain several, separated by commas. */
function readAllowedNetworks(value: string, before: readonly string[] = []): readonly string[] {
  const networks = value.split(",").map((network) => network.trim());
  for (const network of networks) {
    try {
      networkOf(network);
    } catch {
      throw new InvalidArgumentError(
        "Expected a network such as 10.0.0.0/8 or fd00::/8, or an address.",
      );
    }
  }
  return [...before, ...networks];
}

function readUrl(value: string): string {
  if (!["http:", "https:"].includes(URL.parse(value)?.protocol ?? "")) {
    throw new InvalidArgumentError("Expected a URL with https.");
  }
  return value;
}

const outgoingSettings: readonly Setting[] = [
  list(
    "allow-network",
    "network",
    "private network that webhooks may reach, such as 10.0.0.0/8; repeatable",
    { read: readAllowedNetworks, group: "Notifications:" },
  ),
  text("pagerduty-url", "url", "URL for events to PagerDuty", {
    default: defaultOutgoing.pagerDutyUrl,
    read: readUrl,
    isSecret: true,
    group: "Notifications:",
  }),
];

/** All settings of a server, in the order of its help. */
export const settings: readonly Setting[] = [
  ...addresses,
  ...parts,
  ...databaseSettings,
  ...filesSettings,
  ...hosts,
  ...mailSettings,
  ...tlsSettings,
  ...outgoingSettings,
  ...Object.values(limitSettings),
];
