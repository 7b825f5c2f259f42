import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { linkPath, readLink, type LinkedFile } from "../blobs/links.ts";
import type { Context } from "../context.ts";
import { errors } from "../errors.ts";
import { asApiError } from "./error-handler.ts";
import { fileResponse } from "./files.ts";
import type { Gates } from "./gates.ts";
import { representError } from "./represent.ts";
import { addCommonHeaders, logFailure, requestMeta } from "./request.ts";

/**
 * Serves files by pre-signed URL, without a token, as `spec/files.yaml` describes.
 */
export function routeFileLinks(app: FastifyInstance, context: Context, gates: Gates): void {
  const links = new FileLinks(context, gates);
  app.route<{ Params: { sha256: string } }>({
    method: ["GET", "HEAD"],
    url: `${linkPath}:sha256`,
    handler: (request, reply) => {
      void links.answer(request, reply, request.params.sha256);
    },
  });
  app.route({
    method: ["POST", "PUT", "PATCH", "DELETE"],
    url: `${linkPath}:sha256`,
    onRequest: (request) => {
      throw errors.methodNotAllowed(request.method, ["GET", "HEAD"]);
    },
    handler: () => undefined,
  });
}

class FileLinks {
  readonly #context: Context;
  readonly #gates: Gates;

  constructor(context: Context, gates: Gates) {
    this.#context = context;
    this.#gates = gates;
  }

  /** Never rejects: responds to every error. */
  async answer(request: FastifyRequest, reply: FastifyReply, sha256: string): Promise<void> {
    try {
      request.now = this.#context.clock.now();
      const linked = await this.#read(request, sha256);
      await this.#gates.admitCaller(request, linked);
      await this.#send(request, reply, linked);
    } catch (thrown) {
      this.#fail(request, reply, thrown);
    }
  }

  async #read(request: FastifyRequest, sha256: string): Promise<LinkedFile> {
    const [, query = ""] = request.url.split("?", 2);
    const read = readLink(sha256, query, this.#context.linkKey, request.now);
    if ("file" in read) return read.file;
    // Counts guesses; a URL that has expired is not a guess.
    if (read.refused === "invalid") await this.#gates.countFailure(request);
    throw errors.refusedAddress(read.refused);
  }

  async #send(
    request: FastifyRequest,
    reply: FastifyReply,
    { sha256, name }: LinkedFile,
  ): Promise<void> {
    const { blobs } = this.#context;
    const isHead = request.method === "HEAD";
    const bytes = await blobs.bytes(sha256);
    if (bytes === null) throw errors.fileGone();
    const { status, headers, body } = await fileResponse(
      {
        name,
        mediaType: "application/octet-stream",
        bytes,
        tag: sha256,
        open: (range) => (isHead ? Readable.from([]) : blobs.open(sha256, range)),
      },
      isHead ? {} : request.headers,
    );
    addCommonHeaders(headers, request.id);
    this.#gates.addHeaders(headers, request);
    // A browser that opens the file must not run any script in it.
    headers["content-security-policy"] = "default-src 'none'; sandbox";
    if (!isHead) {
      void reply.code(status).headers(headers).send(body);
      return;
    }
    reply.hijack();
    reply.raw.writeHead(status, headers);
    reply.raw.end();
  }

  #fail(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    const { config, logger } = this.#context;
    const error = asApiError(thrown, request.id, config.limits.bodyBytes, [], undefined);
    logFailure(logger, request.id, thrown, error);
    const { headers, body } = representError(error, requestMeta(request));
    addCommonHeaders(headers, request.id);
    this.#gates.addHeaders(headers, request);
    void reply.code(error.status).headers(headers).send(body);
  }
}
