/**
 * The authentication that a server requires (RFC 9110 §11.6.1, and the token flow of registries).
 */
export type Challenge =
  | { readonly scheme: "basic" }
  | {
      readonly scheme: "bearer";
      /** URL of the token service. */
      readonly realm: string;
      readonly service?: string;
      readonly scope?: string;
    };

const parameter =
  /(?<![a-z_])(?<name>[a-z_]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s,"]+))/gi;

/** The first supported challenge of a `WWW-Authenticate` header, or null. */
export function readChallenge(header: string | undefined): Challenge | null {
  const match = /(?:^|,)\s*(?<scheme>bearer|basic)\b(?<rest>.*)/is.exec(header ?? "");
  if (match === null) return null;
  const { scheme = "", rest = "" } = match.groups ?? {};
  if (scheme.toLowerCase() === "basic") return { scheme: "basic" };
  const values = new Map(
    [...rest.matchAll(parameter)].map(({ groups = {} }) => [
      groups["name"]?.toLowerCase(),
      groups["plain"] ?? groups["quoted"]?.replaceAll(/\\(.)/g, "$1"),
    ]),
  );
  const realm = values.get("realm");
  const service = values.get("service");
  const scope = values.get("scope");
  if (realm === undefined) return null;
  return {
    scheme: "bearer",
    realm,
    ...(service === undefined ? {} : { service }),
    ...(scope === undefined ? {} : { scope }),
  };
}
