import type { FastifyRequest } from "fastify";
import type { PlatformConfig } from "../../foundation/config.ts";
import type { ApiError } from "../../foundation/errors.ts";
import { configuredPrefix, publicPrefix } from "../public-prefix.ts";

/** The guide to errors on the site that a server serves. It has an anchor for each kind of error. */
const guide = "/docs/guides/errors.html";

/**
 * Adds a link to the part of the guide that is about the error (RFC 8288), if the server has the guide. `request`: null for
 * input that is no request.
 */
export function addHelp(
  headers: Record<string, string>,
  { kind }: ApiError,
  config: Pick<PlatformConfig, "guides" | "publicUrl" | "trustedProxies">,
  request: FastifyRequest | null,
): void {
  if (config.guides?.areServed !== true) return;
  const prefix = request === null ? configuredPrefix(config) : publicPrefix(request, config);
  const anchor = kind === undefined ? "" : `#${kind}`;
  headers["link"] = `<${prefix}${guide}${anchor}>; rel="help"`;
}
