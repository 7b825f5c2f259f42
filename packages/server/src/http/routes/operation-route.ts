import { compatQuirks, type CompatQuirks, type ServedOperation } from "@security-platform/spec";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../calls/context.ts";
import { noteForm, noteOperation } from "../control/journal.ts";
import { errors, type ApiError } from "../../foundation/errors.ts";
import type { RequestMeter } from "../../foundation/meters.ts";
import { Admission } from "../requests/admission.ts";
import { publicPrefix } from "../public-prefix.ts";
import { acceptedForm, requireAcceptable } from "../requests/accept.ts";
import { requireAuthorization, type Authorization } from "../../access/authorize.ts";
import { ExistingClients } from "../compat/existing-clients.ts";
import { rewriteTokenRequest } from "../compat/token-requests.ts";
import { addDeprecation, type Deprecation } from "./deprecation.ts";
import { asApiError } from "../responses/error-handler.ts";
import { fileResponse, type StreamedResponse } from "../responses/files.ts";
import { formDigest, isRepeatable, keyOf } from "../requests/idempotency.ts";
import { heavyBody, heavyRequestsOf } from "../requests/request-turns.ts";
import { StoreTimeoutError, type StoredResponse } from "../../store/index.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Awaitable } from "../../foundation/awaitable.ts";
import type { Call, Caller, UploadedFile } from "../../calls/call.ts";
import type { Handler } from "../../calls/handler.ts";
import type { Room } from "../../storage/storage.ts";
import { CallerAbort, readFor } from "../../foundation/caller-abort.ts";
import { endWith } from "../responses/end-with.ts";
import { represent, representLarge, type AnswerForm } from "../responses/represent.ts";
import { RequestCall } from "./request-call.ts";
import type { RouteParts } from "./route-parts.ts";
import { addCommonHeaders, logFailure, requestMeta, representFailure } from "../request.ts";
import { largestBody, ownLimit } from "../bodies/body-limits.ts";
import { withForm } from "../bodies/uploads.ts";
import { formReader, type FormReader } from "../validate/form.ts";
import {
  requestReader,
  type RawRequest,
  type ReadRequest,
  type RequestReader,
} from "../validate/request.ts";

const json = "application/json";

/** Callers without a token count as one tenant. */
const tenantOf = ({ caller }: FastifyRequest): string => caller?.cid ?? "";

/** The answer of a handler, or the response to an earlier request with the same key. */
type Outcome = Answer | { readonly kind: "kept"; readonly kept: StoredResponse };

const noFiles: Readonly<Record<string, UploadedFile>> = {};

/** Handles the requests of one operation, from headers to response. */
export class OperationRoute {
  readonly #context: Context;
  readonly #operation: ServedOperation;
  readonly #deprecation: Deprecation | null;
  readonly #handle: Handler;
  readonly #authorization: Authorization | undefined;
  readonly #parts: RouteParts;
  readonly #admission: Admission;
  readonly #quirks: CompatQuirks;
  /** Set only with `serve --compat`, except for the token operations. */
  readonly #existingClients: ExistingClients | null;
  readonly #isRepeatable: boolean;
  readonly #isHeavy: (request: FastifyRequest) => boolean;
  readonly #successStatus: number;
  readonly #bodyBytes: number;
  /** Built at the first request, because most servers use few of the operations. */
  #read: RequestReader | undefined;
  readonly #form: FormReader | null;
  readonly #onlyReads: boolean;
  /** Whether the operation adds records or files, so that a limit of storage refuses it. */
  readonly #isLimited: boolean;
  /** Whether the operation only reads, and its statements run outside this process, where they can be ended. */
  readonly #endsWithCaller: boolean;
  readonly #meter: RequestMeter | undefined;

  constructor(
    context: Context,
    operation: ServedOperation,
    deprecation: Deprecation | null,
    handle: Handler,
    authorization: Authorization | undefined,
    parts: RouteParts,
  ) {
    const { limits, compat } = context.config;
    this.#context = context;
    this.#operation = operation;
    this.#deprecation = deprecation;
    this.#handle = handle;
    this.#authorization = authorization;
    this.#parts = parts;
    this.#quirks = compatQuirks(operation);
    // RFC 6749 defines the token response, for clients of any OAuth server.
    this.#existingClients =
      compat && operation.scope !== null ? new ExistingClients(operation) : null;
    this.#successStatus =
      this.#existingClients?.successStatus(operation.successStatus) ?? operation.successStatus;
    this.#isRepeatable = isRepeatable(operation);
    this.#isHeavy = heavyRequestsOf(operation);
    this.#form = formReader(operation);
    this.#onlyReads = operation.method === "get" || operation.scope?.endsWith(":read") === true;
    this.#isLimited = context.storage !== null && operation.addsRecords === true;
    this.#endsWithCaller = context.store.engine === "postgres" && this.#onlyReads;
    this.#bodyBytes = largestBody(operation, limits);
    this.#meter = parts.meters?.operation(operation.id);
    this.#admission = new Admission(operation, {
      clock: context.clock,
      authenticator: parts.authenticator,
      rateLimits: parts.rateLimits,
      bodyBytes: this.#bodyBytes,
      takesForm: this.takesForm,
    });
  }

  get takesForm(): boolean {
    return this.#form !== null;
  }

  addTo(app: FastifyInstance): void {
    const { method, path } = this.#operation;
    app.route({
      method: method.toUpperCase(),
      url: path.replaceAll(/\{([^{}]+)\}/g, ":$1"),
      bodyLimit: this.#bodyBytes,
      config: {
        isOperation: true,
        needsBody: this.#operation.requestBody?.required === true,
        mostValues: ownLimit(this.#operation, "x-max-values"),
      },
      onRequest: (request, reply) => {
        noteOperation(request, this.#operation);
        const { tracer } = this.#parts;
        if (tracer === undefined) return this.#admission.admit(request);
        tracer.begin(request, reply, this.#operation);
        return tracer.within(request, () => this.#admission.admit(request));
      },
      errorHandler: (thrown, request, reply) => this.#fail(request, reply, thrown),
      handler: (request, reply) => {
        const { tracer } = this.#parts;
        const work = (): Promise<FastifyReply> => this.#handleRequest(request, reply);
        return tracer === undefined ? work() : tracer.within(request, work);
      },
    });
  }

  /** The error handler responds to what this throws. */
  #handleRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { control } = this.#parts;
    if (control === undefined) return this.#answerInTurn(request, reply);
    const { gate, faults } = control;
    return gate.run(async () => {
      const goesOn = await faults.apply(this.#operation, request, reply);
      return goesOn ? this.#answerInTurn(request, reply) : reply;
    });
  }

  /** A form is received before its turn, because the caller may take long to send it. */
  #answerInTurn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (this.#form !== null) return this.#answer(request, reply);
    return this.#inTurn(request, () => {
      // The caller left while the request waited.
      if (reply.raw.destroyed) throw errors.timedOut();
      if (this.#onlyReads) this.#parts.responses?.requireRoom(tenantOf(request));
      return this.#answer(request, reply);
    });
  }

  #inTurn<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
    const goesOn = request.bodyBytes >= heavyBody;
    const light = this.#onlyReads ? "light" : "change";
    const weight = goesOn || this.#isHeavy(request) ? "heavy" : light;
    return this.#parts.turns.run(request, weight, work, { goesOn });
  }

  async #answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = this.#negotiate(request.headers.accept);
    this.#read ??= requestReader(this.#existingClients?.operation ?? this.#operation);
    const reading = this.#read(this.#rewritten(request));
    const read = reading instanceof Promise ? await reading : reading;
    const answer =
      this.#form === null
        ? ((await this.#begin(request, () => request.bodyHash?.digest("base64url"))) ??
          (await this.#handleInRoom(request, () =>
            this.#handleWhileNeeded(this.#call(request, read, noFiles), reply),
          )))
        : await this.#answerForm(this.#form, request, read);
    if (answer.kind === "file") await this.#sendFile(request, reply, answer);
    else if (answer.kind === "large-object") {
      const { headers, body } = await representLarge(answer, form, requestMeta(request));
      this.#sendStream(request, reply, { status: this.#successStatus, headers, body });
    } else if (answer.kind === "kept") this.#sendKept(request, reply, answer.kept, form);
    else await this.#sendAnswer(request, reply, answer, form);
    return reply;
  }

  /** The response to an earlier request with the same key. Undefined without a key, and for a new one. */
  #begin(
    request: FastifyRequest,
    bodyDigest: () => string | undefined,
  ): Promise<Outcome | undefined> | undefined {
    const key = this.#isRepeatable ? keyOf(request) : undefined;
    if (key === undefined) return undefined;
    const kept = this.#parts.idempotencyKeys.begin(request, key, bodyDigest() ?? "");
    return kept.then((each) => (each === null ? undefined : { kind: "kept", kept: each }));
  }

  /** The request in the form of the document. */
  #rewritten(request: FastifyRequest): RawRequest {
    if (!this.#context.config.compat) return request;
    if (this.#existingClients === null) return rewriteTokenRequest(request);
    const rewritten = this.#existingClients.rewrite(request);
    request.ignoredMembers = rewritten.ignored.header;
    return rewritten;
  }

  async #answerForm(
    form: FormReader,
    request: FastifyRequest,
    read: ReadRequest,
  ): Promise<Outcome> {
    const { "content-type": mediaType } = request.headers;
    if (mediaType === undefined)
      throw errors.unsupportedMediaType(undefined, this.#admission.accepted);
    const { blobs } = this.#context;
    const share = this.#parts.memory.share(request.caller === null);
    const room = await this.#roomFor(request);
    const receiving = { fileBytes: this.#bodyBytes, blobs, share, room };
    const outcome = withForm(request, form.members, receiving, async (parts) => {
      const rewritten = this.#existingClients?.rewriteForm(parts, request.query, form.members);
      const { body, files } = form.read(rewritten ?? parts);
      noteForm(request, body, files);
      return (
        (await this.#begin(request, () => formDigest(parts))) ??
        this.#inTurn(request, () => this.#handleCall(this.#call(request, { ...read, body }, files)))
      );
    });
    return outcome.finally(() => room?.release());
  }

  /** The room for the files of a form. A form that was answered before adds nothing. */
  async #roomFor(request: FastifyRequest): Promise<Room | null> {
    const { storage } = this.#context;
    if (!this.#isLimited || storage === null) return null;
    const key = this.#isRepeatable ? keyOf(request) : undefined;
    if (key !== undefined && (await this.#parts.idempotencyKeys.isKnown(request, key))) return null;
    return storage.open(tenantOf(request));
  }

  /** Throws a 507 if the limits of storage leave no room for the body. */
  #handleInRoom(request: FastifyRequest, handle: () => Awaitable<Answer>): Awaitable<Answer> {
    const { storage } = this.#context;
    return this.#isLimited && storage !== null
      ? storage.within(tenantOf(request), request.bodyBytes, handle)
      : handle();
  }

  /** Calls the handler. Reads end if the caller closes the connection; changes are completed. */
  #handleWhileNeeded(call: Call, reply: FastifyReply): Awaitable<Answer> {
    if (!this.#endsWithCaller) return this.#handleCall(call);
    const callerAbort = new CallerAbort(call.caller?.cid ?? null);
    reply.raw.once("close", () => callerAbort.abort());
    return readFor(callerAbort, () => this.#handleCall(call));
  }

  async #handleCall(call: Call): Promise<Answer> {
    // Most clients act for themselves and need no further check.
    const caller: Caller | null = call.caller;
    if (caller?.user !== undefined && this.#authorization !== undefined) {
      await requireAuthorization(call, this.#authorization);
    }
    return this.#handle(call);
  }

  /** The cast is safe: the request was validated against the schemas that the types come from. */
  #call(
    request: FastifyRequest,
    read: ReadRequest,
    files: Readonly<Record<string, UploadedFile>>,
  ): Call {
    return new RequestCall(this.#context, this.#operation, request, read, files) as unknown as Call;
  }

  /** The form of a success. Throws 406. A file has only one form. */
  #negotiate(accept: string | undefined): AnswerForm {
    const { answer, answersAs } = this.#operation;
    if (answer === "file") requireAcceptable(accept, [...answersAs, json]);
    const accepted = answer === "file" ? undefined : accept;
    const { envelope, mediaType } = acceptedForm(accepted, this.#existingClients !== null);
    return { envelope, mediaType, quirks: this.#quirks };
  }

  async #sendAnswer(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Exclude<Answer, { kind: "file" | "large-object" }>,
    form: AnswerForm,
  ): Promise<void> {
    const { cursorParameter = "after" } = this.#operation;
    const { headers, body } = represent(answer, form, requestMeta(request), {
      url: publicPrefix(request, this.#context.config) + request.url,
      cursorParameter,
    });
    if (this.#onlyReads) this.#parts.responses?.requireRoom(tenantOf(request), body.length);
    if (request.ignoredMembers !== null) headers["x-ignored-members"] = request.ignoredMembers;
    const status = this.#successStatus;
    if (
      request.keyed !== null &&
      !(await this.#parts.idempotencyKeys.keep(request, { status, headers, body }))
    ) {
      throw errors.requestInProgress(1);
    }
    this.#send(request, reply, status, headers, body, form.envelope);
  }

  #sendKept(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, headers, body }: StoredResponse,
    form: AnswerForm,
  ): void {
    const all = { ...headers, "idempotency-replayed": "true" };
    this.#send(request, reply, status, all, body, status < 400 && form.envelope);
  }

  async #sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { file }: Extract<Answer, { kind: "file" }>,
  ): Promise<void> {
    const { id, answersAs, ranges } = this.#operation;
    if (!answersAs.includes(file.mediaType)) {
      throw new Error(`${id} does not respond as ${file.mediaType}`);
    }
    // Some clients accept only the type of errors, but expect the file.
    const meant = answersAs.includes(json) ? [] : [json];
    requireAcceptable(request.headers.accept, [file.mediaType, ...meant]);
    const response = await fileResponse(file, ranges ? request.headers : undefined);
    this.#sendStream(request, reply, response);
    this.#observe(request, response.status, response.headers, "", false);
  }

  /** Sends a body while it is read. */
  #sendStream(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, headers, body }: StreamedResponse,
  ): void {
    if (request.keyed !== null) {
      throw new Error(`${this.#operation.id} sends a stream, which no idempotency key keeps`);
    }
    this.#addHeaders(headers, request);
    this.#count(request, status);
    void reply
      .code(status)
      .headers(headers)
      .send(body ?? undefined);
  }

  async #fail(request: FastifyRequest, reply: FastifyReply, thrown: unknown): Promise<void> {
    const error = this.#errorOf(request, thrown);
    // The statements of a caller that left are ended on purpose.
    const isExpected = reply.raw.destroyed && thrown instanceof StoreTimeoutError;
    if (!isExpected) logFailure(this.#context.logger, request.id, thrown, error);
    const limited = error.status === 401 ? await this.#countFailure(request) : null;
    await this.#sendError(request, reply, limited ?? error);
  }

  /** Counts before the caller can send its next request. Returns an error for too many failures. */
  async #countFailure(request: FastifyRequest): Promise<ApiError | null> {
    try {
      await this.#parts.rateLimits.countFailure(request);
      return null;
    } catch (limited) {
      return this.#errorOf(request, limited);
    }
  }

  #errorOf({ id, headers }: FastifyRequest, thrown: unknown): ApiError {
    return asApiError(thrown, id, this.#admission.accepted, headers["content-type"]);
  }

  async #sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): Promise<void> {
    const status = this.#existingClients?.statusOf(error, this.#successStatus) ?? error.status;
    const succeeds = status === this.#successStatus;
    const { config } = this.#context;
    const { headers, body } = representFailure(request, error, config, succeeds);
    if (
      request.keyed !== null &&
      !(await this.#parts.idempotencyKeys.keep(request, { status, headers, body }))
    ) {
      await this.#sendError(request, reply, errors.requestInProgress(1));
      return;
    }
    this.#send(request, reply, status, headers, body, succeeds);
  }

  #send(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    headers: Record<string, string>,
    body: string,
    envelope: boolean,
  ): void {
    const isHead = this.#operation.method === "head";
    this.#addHeaders(headers, request);
    this.#observe(request, status, headers, isHead ? "" : body, envelope);
    this.#count(request, status);
    // `reply.send` would repeat these steps, which takes a tenth of the request's time.
    reply.hijack();
    if (isHead) {
      reply.raw.writeHead(status, headers).end();
      return;
    }
    const bytes = Buffer.byteLength(body);
    const { compression, responses } = this.#parts;
    const sent = (size: number): void =>
      responses?.note(tenantOf(request), request.raw.socket, reply.raw, size);
    if (compression?.send(request, reply, { status, headers, body, bytes, sent })) return;
    headers["content-length"] = String(bytes);
    reply.raw.writeHead(status, headers);
    // A text with one byte per character is ASCII and needs no UTF-8 encoding.
    endWith(reply.raw, body, bytes === body.length ? "latin1" : "utf8");
    sent(bytes);
  }

  #count({ arrivedAt }: FastifyRequest, status: number): void {
    this.#meter?.observe(status, performance.now() - arrivedAt);
  }

  #addHeaders(headers: Record<string, string>, request: FastifyRequest): void {
    addCommonHeaders(headers, headers["x-trace-id"] ?? request.id);
    this.#parts.rateLimits.addHeaders(headers, request);
    if (this.#deprecation !== null) {
      addDeprecation(headers, this.#deprecation, publicPrefix(request, this.#context.config));
    }
  }

  #observe(
    { url }: FastifyRequest,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    envelope: boolean,
  ): void {
    this.#parts.observe?.({ operation: this.#operation, url, status, headers, body, envelope });
  }
}
