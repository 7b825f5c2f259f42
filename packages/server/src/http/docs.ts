import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { errors } from "../errors.ts";
import { DocsFiles, type DocsFile } from "./docs-files.ts";
import { addCommonHeaders } from "./request.ts";

const root = "/docs/";

/** A worker has the policy of its own file. This one compiles WebAssembly and loads its files, and does nothing else. */
const compilingPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Serves the built documentation site under `/docs`. Its pages cannot load anything from other sites. */
export async function serveDocs(app: FastifyInstance, folder: string): Promise<void> {
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
      docs.route({ method, url, handler: (request, reply) => redirect(request, reply, root) });
    }
    docs.route({
      method,
      url: `${root}*`,
      // Read at the first request, because most servers receive no request for the docs.
      handler: (request, reply) => answer((files ??= new DocsFiles(folder)), request, reply),
    });
  });
}

async function answer(
  files: DocsFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [path = ""] = request.url.split("?", 1);
  const name = decodeURIComponent(path.slice(root.length));
  const file = files.find(name);
  if (file !== undefined) return send(request, reply, file, 200);
  if (files.isFolder(name)) return redirect(request, reply, `${path}/`);
  const page = files.notFoundPage;
  if (page === undefined || !wantsPage(request)) throw errors.unknownPath(path, undefined);
  return send(request, reply, page, 404);
}

/** Leads to another path with the same query. */
function redirect(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const headers: Record<string, string> = {};
  addCommonHeaders(headers, request.id);
  const question = request.url.indexOf("?");
  const query = question === -1 ? "" : request.url.slice(question);
  return reply.headers(headers).redirect(path + query);
}

/** Browsers request HTML. Scripts accept anything, or request JSON. */
const wantsPage = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept !== undefined && accept.includes("text/html");

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType, immutable, compiles, paths, tag }: DocsFile,
  status: 200 | 404,
): Promise<FastifyReply> {
  const encoding = encodingFor(request, [...paths.keys()]);
  const path = paths.get(encoding) ?? "";
  const etag = `"${tag}${encoding === "identity" ? "" : `-${encoding}`}"`;
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
  const { size } = await stat(path);
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  reply.code(status).header("content-type", mediaType).header("content-length", size);
  return reply.send(request.method === "HEAD" ? null : createReadStream(path));
}

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

/** Whether the caller already has the content (RFC 9110 §13.1.2). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
