import { resolve } from "node:path";
import { createClient } from "@security-platform/client";
import { Option, type Command } from "commander";
import { trust } from "../api/connection.ts";
import { changeProfiles, currentName, profilesPath } from "../api/profiles.ts";
import { sameServer } from "../api/resolve-connection.ts";
import { findServer } from "../api/running-server.ts";
import { readLines } from "../input/lines.ts";
import { examples } from "../options/examples.ts";
import { readProfileName } from "../api/read-profile-name.ts";
import { readText } from "../options/read-text.ts";
import { actForOption, jsonOption } from "../options/shared.ts";
import { printResult, type ResultOptions } from "../terminal/print-result.ts";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { formatFacts } from "../terminal/table.ts";
import { version } from "../version.ts";

interface LoginOptions extends ResultOptions {
  readonly url?: string;
  readonly clientId?: string;
  readonly profile?: string;
  readonly memberCid?: string;
  readonly data: string;
  readonly secretStdin?: boolean;
  readonly caFile?: string;
}

export function addLoginCommand(program: Command, context: CliContext): void {
  program
    .command("login")
    .description(
      "Store the URL of a server and the credentials of an API client as a profile, which other commands and " +
        "@security-platform/client use. Asks for what is missing, and gets a token before anything is stored.",
    )
    .addOption(
      new Option("--url <url>", "URL of the API (default: a running server on this machine)")
        .env("SECPLAT_URL")
        .argParser(readText("a URL such as https://api.example.com")),
    )
    .addOption(
      new Option("--client-id <id>", "id of the API client")
        .env("SECPLAT_CLIENT_ID")
        .argParser(readText("the id of an API client")),
    )
    .option("--secret-stdin", "read the secret from standard input instead of asking")
    .addOption(
      new Option("--profile <name>", "name of the profile (default: the current one)").argParser(
        readProfileName,
      ),
    )
    .addOption(actForOption())
    .addOption(
      new Option(
        "--ca-file <file>",
        "certificate to trust for this server (default: that of a server on this machine with --tls)",
      ).argParser(readText("a file")),
    )
    .addOption(
      new Option("--data <folder>", "data folder of the server on this machine")
        .env("SECPLAT_DATA")
        .argParser(readText("a folder"))
        .default(".data"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "secplat login",
        "secplat login --profile staging --url https://api.staging.example.com",
        "secplat login --client-id 6e81b28dfe005e1a2e05d927aad44077 --secret-stdin < secret.txt",
      ),
    )
    .action((options: LoginOptions) => login(options, context));
}

async function login(options: LoginOptions, context: CliContext): Promise<void> {
  // A broken file is an error before anybody is asked.
  const current = currentName(context);
  const { profile: name = current, memberCid } = options;
  const server = findServer(resolve(context.workingFolder, options.data));
  const url = options.url ?? server?.url ?? (await ask("URL of the API", "--url", context));
  const clientId = options.clientId ?? (await ask("Client id", "--client-id", context));
  const clientSecret = await readSecret(options, context);
  const { workingFolder, environment } = context;
  const isLocal = server !== undefined && sameServer(url, server.url);
  const ownCertificate = isLocal ? (server.ca_file ?? undefined) : undefined;
  const caFile =
    options.caFile === undefined ? ownCertificate : resolve(workingFolder, options.caFile);
  if (caFile !== undefined) trust(caFile, environment);
  await checkCredentials({ url, clientId, clientSecret, memberCid });
  changeProfiles(context, (stored) => ({
    ...stored,
    profiles: {
      ...stored.profiles,
      [name]: {
        url,
        client_id: clientId,
        client_secret: clientSecret,
        ...(memberCid === undefined ? {} : { member_cid: memberCid }),
        ...(caFile === undefined ? {} : { ca_file: caFile }),
      },
    },
  }));
  const file = profilesPath(context);
  const result = { profile: name, url, client_id: clientId, member_cid: memberCid ?? null, file };
  printResult(context, options, result, () =>
    formatFacts([
      ["profile", name],
      ["URL", url],
      ["client id", clientId],
      ["file", file],
    ]),
  );
}

async function ask(what: string, option: string, context: CliContext): Promise<string> {
  if (context.ask === undefined) {
    throw new CommandError(`there is no terminal to ask for it; set ${option}`, exitCodes.usage);
  }
  const text = (await context.ask(`${what}: `)).trim();
  if (text !== "") return text;
  throw new CommandError(`${what}: expected a value; nothing was stored`, exitCodes.usage);
}

/** Reads the secret from standard input, from the environment, or from the person at the terminal. */
async function readSecret(
  { secretStdin }: LoginOptions,
  { stdin, environment, ask: asks }: CliContext,
): Promise<string> {
  if (secretStdin === true) {
    for await (const line of readLines(stdin, { name: "standard input" })) {
      if (line.trim() !== "") return line.trim();
    }
    throw new CommandError("--secret-stdin: standard input is empty", exitCodes.usage);
  }
  const variable = environment["SECPLAT_CLIENT_SECRET"] || undefined;
  if (variable !== undefined) return variable;
  if (asks === undefined) {
    throw new CommandError(
      "there is no terminal to ask for the secret; set SECPLAT_CLIENT_SECRET, or use --secret-stdin",
      exitCodes.usage,
    );
  }
  const secret = (await asks("Client secret (not shown): ", { hidden: true })).trim();
  if (secret !== "") return secret;
  throw new CommandError("the secret is empty; nothing was stored", exitCodes.usage);
}

/** Gets a token, and revokes it. Throws a `CommandError` if the server does not accept the credentials. */
async function checkCredentials(given: {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly memberCid: string | undefined;
}): Promise<void> {
  const { url, clientId, clientSecret, memberCid } = given;
  try {
    await using client = createClient({
      baseUrl: url,
      clientId,
      clientSecret,
      userAgent: `secplat/${version()}`,
    });
    const credentials = { client_id: clientId, client_secret: clientSecret };
    const { data } = await client.oauth2.createToken({
      body: {
        ...credentials,
        grant_type: "client_credentials",
        ...(memberCid === undefined ? {} : { member_cid: memberCid }),
      },
    });
    await client.oauth2
      .revokeToken({ body: { ...credentials, token: data.access_token } })
      .catch(() => undefined);
  } catch (error) {
    throw new CommandError(`nothing was stored: ${describeError(error)}`, exitCodes.failure, {
      cause: error,
    });
  }
}
