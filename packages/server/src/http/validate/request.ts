import type { ServedOperation } from "@security-platform/spec";
import type { Awaitable } from "../../foundation/awaitable.ts";
import { errors, type Problem } from "../../foundation/errors.ts";
import { aliasRewriter } from "../../validation/aliases.ts";
import { formMediaType } from "./form.ts";
import { headerReader, parameterReader, type RawQuery } from "./query.ts";
import { pausingValidator } from "../../validation/schema-validator.ts";

export interface RawRequest {
  readonly query: unknown;
  readonly params: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

export interface ReadRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Returns a promise only for a large body, which is validated in portions. */
export type RequestReader = (request: RawRequest) => Awaitable<ReadRequest>;

const readers = new WeakMap<ServedOperation, RequestReader>();

/**
 * Reads requests of one operation: rewrites alternative spellings, converts texts to the documented types,
 * and validates everything. Throws 400 with all problems at once. Does not read forms, whose parts arrive
 * later. All servers of a process share the reader, and so its compiled schemas.
 */
export function requestReader(operation: ServedOperation): RequestReader {
  let reader = readers.get(operation);
  if (reader === undefined) {
    reader = createReader(operation);
    readers.set(operation, reader);
  }
  return reader;
}

function createReader(operation: ServedOperation): RequestReader {
  const readQuery = parameterReader(operation, "query");
  const readPath = parameterReader(operation, "path");
  const readHeaders = headerReader(operation);
  const readBody = bodyReader(operation);
  return (request) => {
    const query = readQuery(request.query as RawQuery);
    const path = readPath(request.params as RawQuery);
    const headers = readHeaders(request.headers as RawQuery);
    const withBody = (body: readonly Problem[]): ReadRequest => {
      if (
        query.problems.length + path.problems.length + headers.problems.length + body.length >
        0
      ) {
        throw errors.invalidRequest([
          ...path.problems,
          ...query.problems,
          ...headers.problems,
          ...body,
        ]);
      }
      return {
        query: query.values,
        path: path.values,
        headers: headers.values,
        body: request.body,
      };
    };
    const body = readBody(request.body);
    return body instanceof Promise ? body.then(withBody) : withBody(body);
  };
}

const noProblems: readonly Problem[] = [];

function bodyReader({
  requestBody,
}: ServedOperation): (body: unknown) => Awaitable<readonly Problem[]> {
  const [mediaType, schema] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (requestBody === undefined || schema === undefined || mediaType === formMediaType) {
    return () => noProblems;
  }
  const validate = pausingValidator(schema, "body");
  const rewriteAliases = aliasRewriter(schema);
  return (body) => {
    if (body === undefined || body === null) {
      return requestBody.required ? [{ at: "body", message: "is required" }] : noProblems;
    }
    // Alternative spellings are rewritten before validation.
    const aliasProblems = rewriteAliases?.(body, "body") ?? noProblems;
    const wrong = validate(body);
    return wrong instanceof Promise
      ? wrong.then((problems) => [...aliasProblems, ...problems])
      : [...aliasProblems, ...wrong];
  };
}
