import { profiles } from "#profiles";
import { environmentVariable } from "./environment.ts";
import type { Credentials } from "../sending/options.ts";
import type { Profile } from "./profiles.ts";

export interface CredentialOptions {
  /**
   * URL of the API: `https://host[:port]`, with a path if it is served below one. Default: `SECPLAT_URL`,
   * then that of the profile.
   */
  readonly baseUrl?: string | undefined;
  /** Default: `SECPLAT_CLIENT_ID`, then that of the profile. */
  readonly clientId?: string | undefined;
  /** Default: `SECPLAT_CLIENT_SECRET`, then that of the profile. */
  readonly clientSecret?: string | undefined;
  /** Acts for this child of the client's tenant. */
  readonly memberCid?: string | undefined;
  /** A profile of the command line. Default: `SECPLAT_PROFILE`, then the current one, then `default`. */
  readonly profile?: string | undefined;
}

/**
 * The credentials from the options, the environment or a profile. An id and its secret come from the same
 * place, and a profile is used only if neither of the others has them. Throws a `TypeError` that says what
 * is missing.
 */
export function resolveCredentials(options: CredentialOptions): Credentials {
  const { baseUrl, clientId, clientSecret, memberCid } = options;
  const environment = {
    baseUrl: environmentVariable("SECPLAT_URL"),
    clientId: environmentVariable("SECPLAT_CLIENT_ID"),
    clientSecret: environmentVariable("SECPLAT_CLIENT_SECRET"),
  };
  const isGiven = clientId !== undefined || clientSecret !== undefined;
  const isSet = environment.clientId !== undefined && environment.clientSecret !== undefined;
  const name = options.profile ?? environmentVariable("SECPLAT_PROFILE");
  const usesProfile = options.profile !== undefined || (!isGiven && !isSet);
  const profile = usesProfile && !isGiven ? profiles.read(name) : undefined;
  const pair = isGiven ? { clientId, clientSecret } : (pairOf(profile) ?? environment);
  const url = baseUrl ?? (usesProfile ? profile?.url : undefined) ?? environment.baseUrl;
  if (!isGiven && profile === undefined && (!isSet || options.profile !== undefined)) {
    throw new TypeError(missing("are no credentials", "clientId and clientSecret", name));
  }
  if (url === undefined) throw new TypeError(missing("is no URL of the API", "baseUrl", name));
  return {
    baseUrl: url,
    // The connection reports an incomplete pair.
    clientId: pair.clientId ?? "",
    clientSecret: pair.clientSecret ?? "",
    memberCid: memberCid ?? profile?.member_cid,
  };
}

const pairOf = (profile: Profile | undefined) =>
  profile && { clientId: profile.client_id, clientSecret: profile.client_secret };

const missing = (what: string, options: string, profile = "default"): string =>
  `there ${what}; looked for ${options} in the options, for SECPLAT_URL, SECPLAT_CLIENT_ID and ` +
  `SECPLAT_CLIENT_SECRET in the environment, and for the profile ${profile} in ` +
  (profiles.file ?? "a file, which this runtime does not have");
