import { readFileSync } from "node:fs";
import type * as Tls from "node:tls";
import {
  ApiError,
  AuthenticationError,
  createClient,
  NetworkError,
  type Client,
  type ClientOptions,
  type Credentials,
} from "@security-platform/client";
import { Option, type Command } from "commander";
import { readStoredProfile } from "./read-profile-name.ts";
import { readText } from "../options/read-text.ts";
import { actForOption } from "../options/shared.ts";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { argumentWord } from "../terminal/shell-word.ts";
import { version } from "../version.ts";
import { resolveConnection, type ConnectionOptions } from "./resolve-connection.ts";

/** Options of commands that call the API: the server and the API client. */
export const connectionOptions = (scopes: string): readonly Option[] =>
  [
    new Option(
      "--url <url>",
      "URL of the API (env: SECPLAT_URL; default: a running server on this machine)",
    ).argParser(readText("a URL such as https://api.example.com")),
    new Option(
      "--client-id <id>",
      `API client with ${scopes}; its secret is read from SECPLAT_CLIENT_SECRET ` +
        "(env: SECPLAT_CLIENT_ID; default: the demo's client)",
    ).argParser(readText("the id of an API client")),
    new Option(
      "--profile <name>",
      "stored URL and credentials (env: SECPLAT_PROFILE; default: the current one)",
    ).argParser(readStoredProfile),
    actForOption(" (env: SECPLAT_MEMBER_CID)"),
    new Option("--data <folder>", "data folder of the server on this machine, and of its demo")
      .env("SECPLAT_DATA")
      .argParser(readText("a folder"))
      .default(".data"),
  ].map((option) => option.helpGroup("Server:"));

export function addConnectionOptions(command: Command, scopes: string): Command {
  for (const option of connectionOptions(scopes)) command.addOption(option);
  return command;
}

type ConnectionExtras = Pick<ClientOptions, "timeoutMilliseconds" | "fetch">;

/** Calls the API while `work` runs. */
export async function withClient<Result>(
  options: ConnectionOptions,
  context: CliContext,
  work: (client: Client) => Promise<Result>,
  more: ConnectionExtras = {},
): Promise<Result> {
  const client = connect(options, context, more);
  try {
    return await work(client);
  } catch (error) {
    throw explained(error, options, context);
  } finally {
    // The token expires on its own if it cannot be revoked.
    await client.close().catch(() => undefined);
  }
}

/** Adds what a person at a command line can do about an error of the client. */
export function explained(
  error: unknown,
  options: ConnectionOptions,
  context: CliContext,
): unknown {
  if (error instanceof AuthenticationError) {
    const { source, url, profile } = resolveConnection(options, context);
    const remedy =
      profile === undefined
        ? ""
        : `. Store new ones with: secplat login --profile ${argumentWord(profile)}`;
    return new CommandError(
      `${error.message}; the credentials for ${url} are those of ${source}${remedy}`,
      exitCodes.failure,
      { cause: error },
    );
  }
  if (error instanceof ApiError) {
    // The last line of an excerpt points at its place in the line above; nothing follows it.
    const message = error.message.replace(/(?<=\n *\^)(?: |; )/, "\n");
    return new CommandError(message, exitCodes.failure, { cause: error });
  }
  if (!(error instanceof NetworkError)) return error;
  const message = error.message.replace(
    "check baseUrl, and that the server runs",
    "check the URL, and that the server runs; secplat serve starts one on this machine",
  );
  return new CommandError(message, exitCodes.failure, { cause: error });
}

/**
 * A client of the server; `timeoutMilliseconds`: time limit of one request; default: that of the
 * client.
 */
export const connect = (
  options: ConnectionOptions,
  context: CliContext,
  more: ConnectionExtras = {},
): Client => connectWith(createClient, options, context, more);

/** Connects with `make`, which may be `createClient` or a part of it. */
export function connectWith<Result>(
  make: (options: Credentials & ConnectionExtras & { readonly userAgent: string }) => Result,
  options: ConnectionOptions,
  context: CliContext,
  more: ConnectionExtras = {},
): Result {
  const { url, clientId, clientSecret, memberCid, caFile } = resolveConnection(options, context);
  if (caFile !== undefined) trust(caFile, context.environment);
  const userAgent = `secplat/${version()}`;
  try {
    return make({ baseUrl: url, clientId, clientSecret, memberCid, ...more, userAgent });
  } catch (error) {
    throw new CommandError(describeError(error), exitCodes.usage);
  }
}

/** The part of `node:tls` that adds certificates; Node.js before 22.19 and 24.5 does not have it. */
export type CertificateStore = Partial<
  Pick<typeof Tls, "getCACertificates" | "setDefaultCACertificates">
>;

/**
 * Also trusts the certificate in a file, such as the one that `secplat serve --tls` made. Throws a `CommandError` if
 * this Node.js cannot.
 */
export function trust(
  file: string,
  { NODE_EXTRA_CA_CERTS }: CliContext["environment"],
  { getCACertificates, setDefaultCACertificates }: CertificateStore = process.getBuiltinModule(
    "node:tls",
  ),
): void {
  let certificate: string;
  try {
    certificate = readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(
      `cannot read the certificate ${file}: ${describeError(error)}`,
      exitCodes.usage,
    );
  }
  if (getCACertificates !== undefined && setDefaultCACertificates !== undefined) {
    setDefaultCACertificates([...getCACertificates("default"), certificate]);
    return;
  }
  // Node.js has read this variable before the program started.
  if (NODE_EXTRA_CA_CERTS) return;
  throw new CommandError(
    `Node.js ${process.versions.node} cannot trust the certificate ${file} by itself; ` +
      "set NODE_EXTRA_CA_CERTS to this file, or use Node.js 22.19, 24.5 or later",
    exitCodes.usage,
  );
}
