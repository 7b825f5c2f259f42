import type { ServedOperation } from "@security-platform/spec";
import type { FastifyRequest } from "fastify";
import type { BasicCredentials, Caller, UploadedFile } from "../../calls/call.ts";
import type { Context } from "../../calls/context.ts";
import { basicCredentials } from "../requests/authenticate.ts";
import type { KeyedRequest } from "../../store/index.ts";
import { baseUrlOf } from "../request.ts";
import type { ReadRequest } from "../validate/request.ts";

/** A `Call` of any operation. It is a class, so that only members that are read cost time. */
export class RequestCall {
  readonly operation: ServedOperation;
  readonly query: ReadRequest["query"];
  readonly path: ReadRequest["path"];
  readonly headers: ReadRequest["headers"];
  readonly body: unknown;
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly caller: Caller | null;
  readonly now: Date;
  readonly traceId: string;
  readonly keyed: KeyedRequest | null;
  readonly context: Context;
  readonly #request: FastifyRequest;

  constructor(
    context: Context,
    operation: ServedOperation,
    request: FastifyRequest,
    { query, path, headers, body }: ReadRequest,
    files: Readonly<Record<string, UploadedFile>>,
  ) {
    this.operation = operation;
    this.query = query;
    this.path = path;
    this.headers = headers;
    this.body = body;
    this.files = files;
    this.caller = request.caller;
    this.now = request.now;
    this.traceId = request.id;
    this.keyed = request.keyed;
    this.context = context;
    this.#request = request;
  }

  get basic(): BasicCredentials | null {
    if (this.operation.scope !== null) return null;
    return basicCredentials(this.#request.headers.authorization);
  }

  get origin(): string {
    return baseUrlOf(this.#request, this.context.config);
  }
}
