import { resolve } from "node:path";
import { readCredentials } from "../demo/credentials.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { currentName, findProfile, requireProfile } from "./profiles.ts";
import { findServer } from "./running-server.ts";

export interface ConnectionOptions {
  readonly url?: string;
  readonly clientId?: string;
  readonly memberCid?: string;
  readonly profile?: string;
  readonly data: string;
}

/** Which server a command calls, and as which API client. */
export interface ResolvedConnection {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The child tenant to act for. */
  readonly memberCid?: string | undefined;
  /** Where the credentials come from, for messages. */
  readonly source: string;
  /** The profile with the credentials. */
  readonly profile?: string | undefined;
  /** The certificate of a server that no other authority has signed. */
  readonly caFile?: string | undefined;
}

/** The secret comes from a variable, because other users can see arguments. */
const secretVariable = "SECPLAT_CLIENT_SECRET";

/** URL of `secplat serve` without options. */
const usualUrl = "http://127.0.0.1:8080";

/**
 * Finds the server and the credentials: from the options, else from the environment, else from a profile, else
 * those of a server on this machine. An id and its secret come from one place. Throws a `CommandError` that
 * says what is missing.
 */
export function resolveConnection(
  options: ConnectionOptions,
  context: Pick<CliContext, "environment" | "workingFolder">,
): ResolvedConnection {
  const { environment, workingFolder } = context;
  const variable = (name: string): string | undefined =>
    environment[`SECPLAT_${name}`] || undefined;
  const folder = resolve(workingFolder, options.data);
  const url = options.url ?? variable("URL");
  const memberCid = options.memberCid ?? variable("MEMBER_CID");

  const local = (): Pick<ResolvedConnection, "url" | "caFile"> => {
    if (url !== undefined) return { url };
    const server = findServer(folder);
    return { url: server?.url ?? usualUrl, caFile: server?.ca_file ?? undefined };
  };
  const byClient = (clientId: string, source: string): ResolvedConnection => {
    const clientSecret = variable("CLIENT_SECRET");
    if (clientSecret !== undefined) {
      return { ...local(), clientId, clientSecret, memberCid, source };
    }
    throw new CommandError(`set ${secretVariable} to the secret of the client`, exitCodes.usage);
  };
  const byProfile = (
    name: string,
    profile: ReturnType<typeof requireProfile>,
  ): ResolvedConnection => ({
    url: options.url ?? profile.url,
    clientId: profile.client_id,
    clientSecret: profile.client_secret,
    memberCid: memberCid ?? profile.member_cid,
    source: `the profile ${name}`,
    profile: name,
    // The certificate is that of the profile's own server.
    caFile: sameServer(options.url ?? profile.url, profile.url) ? profile.ca_file : undefined,
  });

  const { clientId, profile: name } = options;
  if (clientId !== undefined && name !== undefined) {
    throw new CommandError(
      "--client-id and --profile exclude each other; expected one of them",
      exitCodes.usage,
    );
  }
  if (clientId !== undefined) return byClient(clientId, "--client-id");
  if (name !== undefined) return byProfile(name, requireProfile(name, context));
  const idVariable = variable("CLIENT_ID");
  if (idVariable !== undefined) return byClient(idVariable, "SECPLAT_CLIENT_ID");
  const profileVariable = variable("PROFILE");
  if (profileVariable !== undefined)
    return byProfile(profileVariable, requireProfile(profileVariable, context));
  const current = currentName(context);
  const usual = findProfile(current, context);
  // Nobody chose this profile, so its secret is sent only to its own server.
  if (usual !== undefined && (url === undefined || sameServer(url, usual.url))) {
    return byProfile(current, usual);
  }
  const demo = readCredentials(folder);
  if (demo !== null) {
    const { client_id, client_secret } = demo;
    const source = `the demo in ${options.data}`;
    return { ...local(), clientId: client_id, clientSecret: client_secret, memberCid, source };
  }
  throw new CommandError(
    `there are no credentials; set SECPLAT_CLIENT_ID and ${secretVariable}, store a profile with secplat login, ` +
      "name the data folder of a demo with --data, or start one with secplat serve",
    exitCodes.usage,
  );
}

/** Whether two URLs are those of one server; their paths do not matter. */
export const sameServer = (one: string, other: string): boolean =>
  URL.parse(one)?.origin === URL.parse(other)?.origin;
