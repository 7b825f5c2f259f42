import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import type { ServerConfig } from "../foundation/config.ts";
import { ApiError, errors } from "../foundation/errors.ts";
import { routeDemoClient } from "./demo-client.ts";
import {
  DocsUnreadableError,
  findFile,
  isFolder,
  notFoundPage,
  type DocsContent,
  type DocsFile,
  type DocsFilesByName,
} from "./docs-site/files.ts";
import type { DocsSite } from "./docs-site/site.ts";
import { unreadablePage, unreadableText } from "./docs-site/unreadable.ts";
import { publicPrefix } from "./public-prefix.ts";
import { addCommonHeaders, baseUrlOf } from "./request.ts";
import { isKnown } from "./responses/known-content.ts";

const root = "/docs/";

/** Files that programs look for at the root of a server. */
const atRoot = ["openapi.json", "openapi.yaml", "llms.txt", "llms-full.txt"];

/** A worker has the policy of its own file. This one compiles WebAssembly and loads its files, and does nothing else. */
const compilingPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/**
 * Serves the documentation site under `/docs`. Its pages cannot load anything from other sites. A site that
 * cannot be read is replaced by a page that says what to do.
 */
export async function serveDocs(
  app: FastifyInstance,
  site: DocsSite,
  config: Omit<ServerConfig, "authority">,
): Promise<void> {
  const place: Place = {
    isPublic: config.publicUrl !== undefined,
    prefixOf: (request) => publicPrefix(request, config),
    baseUrlOf: (request) => baseUrlOf(request, config),
  };
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      return await answer(place, await site.files(), request, reply);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      site.discard(error);
      if (!(error instanceof DocsUnreadableError)) throw error;
      return sendUnreadable(error, request, reply);
    }
  };
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
        handler: (request, reply) => redirect(place, request, reply, root),
      });
    }
    routeDemoClient(docs, config);
    for (const path of [`${root}*`, ...atRoot.map((name) => `/${name}`)]) {
      docs.route({ method, url: path, handler: respond });
    }
  });
}

/** Where readers reach the site. */
interface Place {
  /** Whether the public URL is configured. */
  readonly isPublic: boolean;
  prefixOf(request: FastifyRequest): string;
  baseUrlOf(request: FastifyRequest): string;
}

async function answer(
  place: Place,
  files: DocsFilesByName,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [path = ""] = request.url.split("?", 1);
  const name = decodeURIComponent(path.slice(path.startsWith(root) ? root.length : 1));
  const file = findFile(files, name);
  if (file !== undefined) return send(place, request, reply, file, 200);
  if (isFolder(files, name)) return redirect(place, request, reply, `${path}/`);
  const page = notFoundPage(files);
  if (page === undefined || !wantsPage(request)) throw errors.unknownPath(path, undefined);
  return send(place, request, reply, page, 404);
}

/** Leads to another path with the same query. */
function redirect(
  { prefixOf }: Place,
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

function sendUnreadable(
  error: DocsUnreadableError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (!wantsPage(request)) throw errors.docsUnreadable(unreadableText(error).join(" "));
  const headers: Record<string, string> = { "cache-control": "no-store" };
  addCommonHeaders(headers, request.id);
  const page = unreadablePage(error);
  reply.code(503).headers(headers).header("content-type", "text/html; charset=utf-8");
  reply.header("content-length", Buffer.byteLength(page));
  return reply.send(request.method === "HEAD" ? null : page);
}

async function send(
  place: Place,
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType, immutable, compiles, contents, tag, rewrite }: DocsFile,
  status: 200 | 404,
): Promise<FastifyReply> {
  const prefix = place.prefixOf(request);
  const base = rewrite === "servers" ? place.baseUrlOf(request) : prefix;
  // Other places are written into the text, so the compressed content does not fit.
  const isRewritten = rewrite !== undefined && base !== "" && (prefix !== "" || place.isPublic);
  const encoding = isRewritten ? "identity" : encodingFor(request, [...contents.keys()]);
  const variant = isRewritten ? `-${placeTag(base)}` : "";
  const etag = `"${tag}${variant}${encoding === "identity" ? "" : `-${encoding}`}"`;
  const isUnchanged = status === 200 && isKnown(request.headers["if-none-match"], etag);
  const open = contents.get(encoding);
  const content = isUnchanged || open === undefined ? undefined : await open();
  const headers: Record<string, string> = {};
  addCommonHeaders(headers, request.id);
  headers["cache-control"] =
    status === 200 && immutable ? "public, max-age=31536000, immutable" : "no-cache";
  headers["vary"] = [reply.raw.getHeader("vary"), "Accept-Encoding"].filter(Boolean).join(", ");
  headers["etag"] = etag;
  if (compiles) headers["content-security-policy"] = compilingPolicy;
  reply.headers(headers);
  if (content === undefined) return reply.code(304).send();
  reply.code(status).header("content-type", mediaType);
  if (isRewritten) {
    const text = rewritten(await textOf(content), rewrite, prefix, base);
    reply.header("content-length", Buffer.byteLength(text));
    return reply.send(request.method === "HEAD" ? null : text);
  }
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  reply.header("content-length", content.size);
  return reply.send(request.method === "HEAD" ? null : content.open());
}

async function textOf(content: DocsContent): Promise<string> {
  const opened = content.open();
  return (Buffer.isBuffer(opened) ? opened : await buffer(opened)).toString("utf8");
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
