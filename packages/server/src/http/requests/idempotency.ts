import { createHash } from "node:crypto";
import type { ServedOperation } from "@security-platform/spec";
import type { FastifyRequest } from "fastify";
import type { Context } from "../../calls/context.ts";
import { errors } from "../../foundation/errors.ts";
import type { StoredResponse } from "../../store/index.ts";
import type { FormParts } from "../validate/form.ts";

/** Maximum length of a kept response in UTF-16 units. */
const longestBody = 4 * 1024 * 1024;

/** The time from a change until its response is stored, in any process. */
const storingMilliseconds = 10_000;

const retrySeconds = 1;

/** Whether the key keeps a response with this status. Others say that the server has not acted, or cannot know. */
const isKept = (status: number): boolean => status < 500 && ![401, 403, 408, 429].includes(status);

/** The idempotency key of a request, unless it has none or more than one. */
export const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const { "idempotency-key": key } = headers;
  return typeof key === "string" ? key : undefined;
};

/** Whether requests of the operation may have an idempotency key. */
export const isRepeatable = ({ parameters }: ServedOperation): boolean =>
  parameters.some(({ name, in: place }) => place === "header" && name === "Idempotency-Key");

/**
 * Requests with idempotency keys. The first write of a request notes its key in the same transaction, so a
 * request that is sent again cannot act twice, whichever process receives it and whenever the first one
 * crashed. The response is stored before it is sent. Only a crash between the two loses it; the server then
 * says so.
 */
export class IdempotencyKeys {
  readonly #context: Context;
  /** Fingerprints of the requests that this process handles, by hash. */
  readonly #running = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Returns the stored response to the key. Otherwise begins the request, and `keep` ends it. Throws
   * 409 while the first request is in progress or if its response is lost, and 422 for another request.
   */
  async begin(request: FastifyRequest, key: string, body: string): Promise<StoredResponse | null> {
    const { id, method, url, now, caller } = request;
    const hash = hashOf([caller?.cid, caller?.clientId, key]);
    const fingerprint = hashOf([method, url, body]);
    const running = this.#running.get(hash);
    if (running !== undefined) {
      throw running === fingerprint ? errors.requestInProgress(retrySeconds) : errors.keyReused();
    }
    // Taken before the first wait, so that no other request of this process can begin as well.
    this.#running.set(hash, fingerprint);
    try {
      const earlier = await this.#context.store.requests.find(hash, now);
      if (earlier === null) {
        request.keyed = { hash, fingerprint, attempt: id, startedAt: now };
        return null;
      }
      if (earlier.fingerprint !== fingerprint) throw errors.keyReused();
      if (earlier.answer !== null) return earlier.answer;
      const storedBy = earlier.startedAt.getTime() + storingMilliseconds;
      throw storedBy > now.getTime() ? errors.requestInProgress(retrySeconds) : errors.answerLost();
    } finally {
      if (request.keyed === null) this.#running.delete(hash);
    }
  }

  /** Whether a request with the key was carried out before, so that `begin` answers for it. */
  async isKnown({ caller, now }: FastifyRequest, key: string): Promise<boolean> {
    const hash = hashOf([caller?.cid, caller?.clientId, key]);
    return (await this.#context.store.requests.find(hash, now)) !== null;
  }

  /**
   * Stores the response before it is sent, and ends the request. False if another process was first, so its
   * response is the one to the key.
   */
  async keep(request: FastifyRequest, answer: StoredResponse): Promise<boolean> {
    const { keyed, id } = request;
    if (keyed === null) return true;
    const { store, logger } = this.#context;
    try {
      if (!isKept(answer.status) || answer.body.length > longestBody) return true;
      // The body of an Envelope repeats the trace id.
      const headers = { ...answer.headers, "x-trace-id": id };
      return await store.requests.keep(keyed, { ...answer, headers });
    } catch (error) {
      // The change is made, so the caller learns of it. If it is repeated, the server says that it was made.
      logger.error({ err: error, trace_id: id }, "a response was not kept");
      return true;
    } finally {
      this.#running.delete(keyed.hash);
      request.keyed = null;
    }
  }
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

/** The same for equal fields and files, whatever the boundary of the form is. */
export const formDigest = ({ fields, files }: FormParts): string =>
  hashOf([
    [...fields],
    [...files].map(([member, received]) => [
      member,
      received.map(({ name, mediaType, sha256 }) => [name, mediaType, sha256]),
    ]),
  ]);
