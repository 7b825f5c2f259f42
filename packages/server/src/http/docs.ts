import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import type { PlatformConfig } from "../foundation/config.ts";
import { errors } from "../foundation/errors.ts";
import { DocsFiles, type DocsFile } from "./docs-files.ts";
import { publicPrefix } from "./public-prefix.ts";
import { addCommonHeaders, baseUrlOf } from "./request.ts";
import { isKnown } from "./responses/known-content.ts";

const root = "/docs/";

/** A worker has the policy of its own file. This one compiles WebAssembly and loads its files, and does nothing else. */
const compilingPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Serves the built documentation site under `/docs`. Its pages cannot load anything from other sites. */
export async function serveDocs(
  app: FastifyInstance,
  folder: string,
  config: PlatformConfig,
): Promise<void> {
  const site: Site = {
    isPublic: config.publicUrl !== undefined,
    prefixOf: (request) => publicPrefix(request, config),
    baseUrlOf: (request) => baseUrlOf(request, config),
  };
  let files: DocsFiles | undefined;
  await app.register(async (docs) => {
    await docs.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          // The site generator writes small inline scripts and styles into its pages.
          scriptSrc: ["'self'", "'unsafe-inline'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", "data:"],
          workerSrc: ["'self'", "blob:"],
          frameAncestors: ["'none'"],
        },
      },
      // HSTS has no use, because the site is served over plain HTTP on a laptop.
      strictTransportSecurity: false,
    });
    const method = ["GET", "HEAD"];
    for (const url of ["/", "/docs"]) {
      docs.route({
        method,
        url,
        handler: (request, reply) => redirect(site, request, reply, root),
      });
    }
    docs.route({
      method,
      url: `${root}*`,
      // Read at the first request, because most servers receive no request for the docs.
      handler: (request, reply) => answer(site, (files ??= new DocsFiles(folder)), request, reply),
    });
  });
}

/** Where readers reach the site. */
interface Site {
  /** Whether the public URL is configured. */
  readonly isPublic: boolean;
  prefixOf(request: FastifyRequest): string;
  baseUrlOf(request: FastifyRequest): string;
}

async function answer(
  site: Site,
  files: DocsFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [path = ""] = request.url.split("?", 1);
  const name = decodeURIComponent(path.slice(root.length));
  const file = files.find(name);
  if (file !== undefined) return send(site, request, reply, file, 200);
  if (files.isFolder(name)) return redirect(site, request, reply, `${path}/`);
  const page = files.notFoundPage;
  if (page === undefined || !wantsPage(request)) throw errors.unknownPath(path, undefined);
  return send(site, request, reply, page, 404);
}

/** Leads to another path with the same query. */
function redirect(
  { prefixOf }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): FastifyReply {
  const headers: Record<string, string> = {};
  addCommonHeaders(headers, request.id);
  const question = request.url.indexOf("?");
  const query = question === -1 ? "" : request.url.slice(question);
  return reply.headers(headers).redirect(prefixOf(request) + path + query);
}

/** Browsers request HTML. Scripts accept anything, or request JSON. */
const wantsPage = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept !== undefined && accept.includes("text/html");

async function send(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType, immutable, compiles, paths, tag, rewrite }: DocsFile,
  status: 200 | 404,
): Promise<FastifyReply> {
  const prefix = site.prefixOf(request);
  const place = rewrite === "servers" ? site.baseUrlOf(request) : prefix;
  // Other places are written into the text, so the compressed files do not fit.
  const isRewritten = rewrite !== undefined && place !== "" && (prefix !== "" || site.isPublic);
  const encoding = isRewritten ? "identity" : encodingFor(request, [...paths.keys()]);
  const path = paths.get(encoding) ?? "";
  const variant = isRewritten ? `-${placeTag(place)}` : "";
  const etag = `"${tag}${variant}${encoding === "identity" ? "" : `-${encoding}`}"`;
  const headers: Record<string, string> = {};
  addCommonHeaders(headers, request.id);
  headers["cache-control"] =
    status === 200 && immutable ? "public, max-age=31536000, immutable" : "no-cache";
  headers["vary"] = [reply.raw.getHeader("vary"), "Accept-Encoding"].filter(Boolean).join(", ");
  headers["etag"] = etag;
  if (compiles) headers["content-security-policy"] = compilingPolicy;
  reply.headers(headers);
  if (status === 200 && isKnown(request.headers["if-none-match"], etag)) {
    return reply.code(304).send();
  }
  if (isRewritten) {
    const text = rewritten(await readFile(path, "utf8"), rewrite, prefix, place);
    reply.code(status).header("content-type", mediaType);
    reply.header("content-length", Buffer.byteLength(text));
    return reply.send(request.method === "HEAD" ? null : text);
  }
  const { size } = await stat(path);
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  reply.code(status).header("content-type", mediaType).header("content-length", size);
  return reply.send(request.method === "HEAD" ? null : createReadStream(path));
}

const placeTag = (place: string): string =>
  createHash("sha256").update(place).digest("base64url").slice(0, 8);

/**
 * The text of a file for readers that reach the site elsewhere. Links within the site start with its path; in URLs of
 * other sites, a host is before it.
 */
const rewritten = (
  text: string,
  rewrite: DocsFile["rewrite"],
  prefix: string,
  baseUrl: string,
): string =>
  rewrite === "servers"
    ? text.replaceAll(writtenServer, baseUrl)
    : text.replaceAll(/(?<![\w.:/-])\/docs\//g, `${prefix}${root}`);

/** The server in the documents of the API. */
const writtenServer = "http://127.0.0.1:8080";

/** The types of the package lack its option. */
interface EncodingNegotiator {
  encoding(
    offered: readonly string[],
    options: { readonly preferred: readonly string[] },
  ): string | undefined;
}

/** The encoding that the caller prefers (RFC 9110 §12.5.3). Among equals, the one that is offered first. */
function encodingFor({ headers }: FastifyRequest, offered: readonly string[]): string {
  const negotiator = new Negotiator({ headers }) as unknown as EncodingNegotiator;
  return negotiator.encoding(offered, { preferred: offered }) ?? "identity";
}
