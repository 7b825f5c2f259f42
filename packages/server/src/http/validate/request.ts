import type { Operation } from "@security-platform/spec";
import { errors, type Problem } from "../../errors.ts";
import { aliasRewriter } from "./aliases.ts";
import { headerReader, parameterReader, type RawQuery } from "./query.ts";
import { schemaValidator } from "./schema-validator.ts";

interface RawRequest {
  readonly query: unknown;
  readonly params: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

interface ReadRequest {
  readonly query: Record<string, unknown>;
  readonly path: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

/**
 * Reads requests of one operation: alternative spellings become the documented one, texts become the
 * documented types, and everything is validated. Throws 400 with all problems at once.
 */
export function requestReader(operation: Operation): (request: RawRequest) => ReadRequest {
  const readQuery = parameterReader(operation, "query");
  const readPath = parameterReader(operation, "path");
  const readHeaders = headerReader(operation);
  const readBody = bodyReader(operation);
  return (request) => {
    const query = readQuery(request.query as RawQuery);
    const path = readPath(request.params as RawQuery);
    const headers = readHeaders(request.headers as RawQuery);
    const problems = [
      ...path.problems,
      ...query.problems,
      ...headers.problems,
      ...readBody(request.body),
    ];
    if (problems.length > 0) throw errors.invalidRequest(problems);
    return {
      query: query.values,
      path: path.values,
      headers: headers.values,
      body: request.body,
    };
  };
}

function bodyReader({ requestBody }: Operation): (body: unknown) => readonly Problem[] {
  const content = Object.values(requestBody?.content ?? {})[0];
  if (requestBody === undefined || content === undefined) return () => [];
  const validate = schemaValidator(content.schema, "body");
  const rewriteAliases = aliasRewriter(content.schema);
  return (body) => {
    if (body === undefined || body === null) {
      return requestBody.required ? [{ at: "body", message: "is required" }] : [];
    }
    return [...(rewriteAliases?.(body, "body") ?? []), ...validate(body)];
  };
}
