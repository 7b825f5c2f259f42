import type { Problem } from "../../../foundation/errors.ts";
import type { Outgoing } from "../../../outgoing/outgoing.ts";

export const isRegistryUrl = (text: string): boolean => URL.canParse(text);

/**
 * The normalised URL: lower-case host, no default port, no trailing slashes. The registry API is
 * below it, at `/v2/`.
 */
export function uniqueUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, "")}`;
}

/** The default uniqueness key of a registry: its host. */
export const hostOf = (text: string): string => new URL(text).host;

/**
 * Why the platform cannot use the URL of a registry. The message does not contain the URL, because
 * it may include a password.
 */
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
