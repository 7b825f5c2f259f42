import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FileContent } from "../../calls/answer.ts";
import { blobContent } from "../../calls/blob-content.ts";
import { linkPath, readLink, type LinkTarget } from "../../blobs/links.ts";
import type { Context } from "../../calls/context.ts";
import { errors } from "../../foundation/errors.ts";
import type { LinkKind } from "../../calls/handler.ts";
import { asApiError } from "../responses/error-handler.ts";
import { fileResponse } from "../responses/files.ts";
import type { RateLimits } from "../requests/rate-limits.ts";
import { addCommonHeaders, logFailure, representFailure } from "../request.ts";

/** Blobs of the store, by hash. `linkTo` returns URLs of this kind. */
const blobLinks: LinkKind = {
  route: ":id",
  members: ["name"],
  ranges: true,
  open: ({ blobs }, { id: sha256, members: { name = "" } }) => blobContent(blobs, { sha256, name }),
};

/**
 * Serves files by pre-signed URL, without a token, as `spec/files.yaml` describes.
 */
export function routeFileLinks(
  app: FastifyInstance,
  context: Context,
  rateLimits: RateLimits,
  kinds: readonly LinkKind[],
): void {
  for (const kind of [blobLinks, ...kinds]) {
    const links = new FileLinks(context, rateLimits, kind);
    app.route<{ Params: { id?: string } }>({
      method: ["GET", "HEAD"],
      url: `${linkPath}${kind.route}`,
      handler: (request, reply) => {
        void links.answer(request, reply, request.params.id ?? "");
      },
    });
  }
}

class FileLinks {
  readonly #context: Context;
  readonly #rateLimits: RateLimits;
  readonly #kind: LinkKind;

  constructor(context: Context, rateLimits: RateLimits, kind: LinkKind) {
    this.#context = context;
    this.#rateLimits = rateLimits;
    this.#kind = kind;
  }

  /** Sends the file of a link, or an error. Never rejects. */
  async answer(request: FastifyRequest, reply: FastifyReply, id: string): Promise<void> {
    try {
      request.now = this.#context.clock.now();
      const members = await this.#read(request, id);
      await this.#rateLimits.admitCaller(request, members);
      const file = await this.#kind.open(this.#context, { id, members, now: request.now });
      await this.#send(request, reply, file);
    } catch (thrown) {
      this.#fail(request, reply, thrown);
    }
  }

  async #read(request: FastifyRequest, id: string): Promise<LinkTarget["members"]> {
    const [, query = ""] = request.url.split("?", 2);
    const { route, members } = this.#kind;
    const path = `${linkPath}${route.replace(":id", () => id)}`;
    const read = readLink(path, query, members, this.#context.linkKey, request.now);
    if ("members" in read) return read.members;
    // Counts guesses. A URL that has expired is not a guess.
    if (read.refused === "invalid") await this.#rateLimits.countFailure(request);
    throw errors.invalidFileUrl(read.refused);
  }

  async #send(request: FastifyRequest, reply: FastifyReply, file: FileContent): Promise<void> {
    const isHead = request.method === "HEAD";
    const { "if-none-match": ifNoneMatch } = request.headers;
    const conditions = isHead ? { "if-none-match": ifNoneMatch } : request.headers;
    const { status, headers, body } = await fileResponse(
      isHead ? { ...file, open: () => Readable.from([]) } : file,
      this.#kind.ranges ? conditions : undefined,
    );
    addCommonHeaders(headers, request.id);
    this.#rateLimits.addHeaders(headers, request);
    // A browser that opens the file must not run scripts in it.
    headers["content-security-policy"] = "default-src 'none'; sandbox";
    if (!isHead) {
      void reply
        .code(status)
        .headers(headers)
        .send(body ?? undefined);
      return;
    }
    reply.hijack();
    reply.raw.writeHead(status, headers);
    reply.raw.end();
  }

  #fail(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    const { logger, config } = this.#context;
    const error = asApiError(thrown, request.id, [], undefined);
    logFailure(logger, request.id, thrown, error);
    const { headers, body } = representFailure(request, error, config);
    addCommonHeaders(headers, request.id);
    this.#rateLimits.addHeaders(headers, request);
    void reply.code(error.status).headers(headers).send(body);
  }
}
