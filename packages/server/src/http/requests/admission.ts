import type { ServedOperation } from "@security-platform/spec";
import type { FastifyRequest } from "fastify";
import { requireScope } from "../../access/authorize.ts";
import type { Clock } from "../../foundation/clock.ts";
import { errors } from "../../foundation/errors.ts";
import { formBytes } from "../bodies/read-form.ts";
import type { Authenticator } from "./authenticate.ts";
import type { RateLimits } from "./rate-limits.ts";

interface AdmissionParts {
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly rateLimits: RateLimits;
  /** Maximum size of the body in bytes; of a form, that of its file. */
  readonly bodyBytes: number;
  readonly takesForm: boolean;
}

/** Checks everything of an operation's requests that needs no body. */
export class Admission {
  readonly #operation: ServedOperation;
  readonly #parts: AdmissionParts;
  /** The media types of the body. None: a body is ignored. */
  readonly accepted: readonly string[];

  constructor(operation: ServedOperation, parts: AdmissionParts) {
    this.#operation = operation;
    this.#parts = parts;
    this.accepted = Object.keys(operation.requestBody?.content ?? {});
  }

  /** Adds the time and the caller to a request, or throws the reason for which it is refused. */
  async admit(request: FastifyRequest): Promise<void> {
    const { clock, authenticator, rateLimits } = this.#parts;
    const { scope } = this.#operation;
    request.now = clock.now();
    if (scope === null) {
      await rateLimits.admitAddress(request);
    } else {
      const found = authenticator.authenticate(request.raw, request.now);
      const caller = found instanceof Promise ? await found : found;
      request.caller = caller;
      const counted = rateLimits.admitCaller(request, caller);
      if (counted instanceof Promise) await counted;
      requireScope(caller, scope);
    }
    this.#requireBody(request);
  }

  /** Refuses a compressed body, and a media type that this operation does not accept. */
  #requireBody({ headers }: FastifyRequest): void {
    const { takesForm, bodyBytes } = this.#parts;
    if (this.accepted.length === 0) return;
    const encoding = headers["content-encoding"];
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
      throw errors.unsupportedEncoding(encoding);
    }
    const contentType = headers["content-type"];
    if (contentType === undefined) return;
    if (!this.accepted.includes(contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "")) {
      throw errors.unsupportedMediaType(contentType, this.accepted);
    }
    if (takesForm && Number(headers["content-length"]) > bodyBytes + formBytes) {
      throw errors.bodyTooLarge(bodyBytes);
    }
  }
}
