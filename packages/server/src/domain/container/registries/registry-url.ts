import type { Problem } from "../../../errors.ts";
import type { Outgoing } from "../../../outgoing/outgoing.ts";

export const isRegistryUrl = (text: string): boolean => URL.canParse(text);

/**
 * The same for all spellings of a URL: case of the host, default port, slashes at the end. The registry
 * API is below it, at `/v2/`.
 */
export function uniqueUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** What distinguishes a registry of which the request does not say it: its host. */
export const hostOf = (text: string): string => new URL(text).host;

/** Why the platform cannot use the URL of a registry. Never repeats it: it may have a password. */
export async function registryUrlProblems(
  url: string,
  at: string,
  outgoing: Outgoing,
): Promise<readonly Problem[]> {
  const refusal = await outgoing.refusal(url);
  if (refusal !== null) return [{ at, message: refusal }];
  const { search, hash } = new URL(url);
  if (search === "" && hash === "") return [];
  return [{ at, message: "expected a URL without query and fragment" }];
}
