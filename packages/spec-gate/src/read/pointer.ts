import { isObject, type Json } from "../json.ts";

/** RFC 6901: `a/b` → `a~1b`. */
export const escapeToken = (token: string): string =>
  token.replaceAll("~", "~0").replaceAll("/", "~1");

export const pointerOf = (tokens: readonly string[]): string =>
  `#${tokens.map((token) => `/${escapeToken(token)}`).join("")}`;

/**
 * The tokens of a URI fragment such as `/components/schemas/A%20B`; undefined if it is not a
 * pointer.
 */
export function tokensOf(fragment: string): readonly string[] | undefined {
  if (fragment === "") return [];
  if (!fragment.startsWith("/")) return undefined;
  return fragment
    .slice(1)
    .split("/")
    .map((token) => unescapeToken(token.includes("%") ? decode(token) : token));
}

const unescapeToken = (token: string): string =>
  token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

export function child(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(token)];
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}
