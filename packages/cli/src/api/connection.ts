import { resolve } from "node:path";
import { createClient, type Client } from "@security-platform/client";
import { Option, type Command } from "commander";
import { readCredentials } from "../demo/credentials.ts";
import { readText } from "../options/read-text.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { version } from "../version.ts";

export interface ConnectionOptions {
  readonly url: string;
  readonly clientId?: string;
  readonly memberCid?: string;
  readonly data: string;
}

const group = "Server:";
const secretVariable = "SECPLAT_CLIENT_SECRET";

/** Options of commands that call the API: the server and the API client. */
export const addConnectionOptions = (command: Command, scopes: string): Command =>
  command
    .addOption(
      new Option("--url <url>", "URL of the API")
        .env("SECPLAT_URL")
        .default("http://127.0.0.1:8080")
        .helpGroup(group),
    )
    .addOption(
      new Option(
        "--client-id <id>",
        `API client with ${scopes}; its secret is read from ${secretVariable} (default: the demo's client)`,
      )
        .env("SECPLAT_CLIENT_ID")
        .helpGroup(group),
    )
    .addOption(
      new Option("--member-cid <cid>", "child tenant to act for")
        .env("SECPLAT_MEMBER_CID")
        .helpGroup(group),
    )
    .addOption(
      new Option("--data <folder>", "folder with the credentials of the demo")
        .env("SECPLAT_DATA")
        .argParser(readText("a folder"))
        .default(".data")
        .helpGroup(group),
    );

/** Calls the API while `work` runs. */
export async function withClient<Result>(
  options: ConnectionOptions,
  surroundings: Surroundings,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = connect(options, surroundings);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/**
 * A client of the server; `timeoutMilliseconds`: time limit of one request; default: that of the
 * client.
 */
export function connect(
  { url, clientId, memberCid, data }: ConnectionOptions,
  { environment, workingFolder }: Surroundings,
  more: { readonly timeoutMilliseconds?: number } = {},
): Client {
  const credentials = credentialsOf(clientId, environment, resolve(workingFolder, data));
  try {
    return createClient({
      baseUrl: url,
      ...credentials,
      memberCid,
      ...more,
      userAgent: `secplat/${version()}`,
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), exitCodes.usage);
  }
}

function credentialsOf(
  clientId: string | undefined,
  environment: Surroundings["environment"],
  folder: string,
): { readonly clientId: string; readonly clientSecret: string } {
  const clientSecret = environment[secretVariable];
  if (clientId !== undefined && clientSecret !== undefined && clientSecret !== "") {
    return { clientId, clientSecret };
  }
  if (clientId !== undefined) {
    throw new CommandError(`set ${secretVariable} to the secret of the client`, exitCodes.usage);
  }
  const demo = readCredentials(folder);
  if (demo !== null) return { clientId: demo.client_id, clientSecret: demo.client_secret };
  throw new CommandError(
    `there are no credentials; set SECPLAT_CLIENT_ID and ${secretVariable}, ` +
      "or name the data folder of the demo with --data",
    exitCodes.usage,
  );
}
