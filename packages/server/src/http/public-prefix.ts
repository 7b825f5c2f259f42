import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { PlatformConfig } from "../foundation/config.ts";

type Config = Pick<PlatformConfig, "publicUrl" | "trustedProxies">;

/**
 * A prefix whose segments mean the same in a path, a header and HTML. It has no `..`, no empty segment (`//host` is
 * another host), query, line break or escape.
 */
const prefixForm = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;

/**
 * The path that a reverse proxy removes from requests, such as `/platform`: that of the public URL, or
 * `X-Forwarded-Prefix` of a trusted proxy. "" for none, and for a header that is no such path.
 */
export function publicPrefix(request: FastifyRequest, config: Config): string {
  const { publicUrl, trustedProxies = [] } = config;
  if (publicUrl !== undefined) return configuredPrefix(config);
  const forwarded = request.headers["x-forwarded-prefix"];
  if (typeof forwarded !== "string" || forwarded.length > mostCharacters) return "";
  const prefix = withoutLastSlash(forwarded);
  if (!prefixForm.test(prefix)) return "";
  return isTrusted(request.raw.socket?.remoteAddress, trustedProxies) ? prefix : "";
}

/** The path of the public URL; "" without a public URL. */
export function configuredPrefix({ publicUrl = "" }: Pick<Config, "publicUrl">): string {
  const slash = publicUrl.indexOf("/", publicUrl.indexOf("://") + 3);
  return slash === -1 ? "" : withoutLastSlash(publicUrl.slice(slash));
}

const mostCharacters = 256;

export const withoutLastSlash = (text: string): string =>
  text.endsWith("/") ? text.slice(0, -1) : text;

/** Whether the proxy that sent the request is one of these addresses and networks. */
function isTrusted(address: string | undefined, networks: readonly string[]): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const peer = ipaddr.process(address);
  return networks.some((network) => {
    const [range, bits] = network.includes("/")
      ? ipaddr.parseCIDR(network)
      : ([ipaddr.process(network), undefined] as const);
    if (range.kind() !== peer.kind()) return false;
    return peer.match([range, bits ?? (range.kind() === "ipv4" ? 32 : 128)] as never);
  });
}
