import { errors } from "../../foundation/errors.ts";
import type { Call } from "../../calls/call.ts";
import type { Handler } from "../../calls/handler.ts";
import { JsonTextError } from "../../validation/json-pieces.ts";
import { parseJsonText } from "../../validation/json-text.ts";

/** An invalid query also gets a regular response, which contains its errors. */
export const postGraphql: Handler<"post_graphql"> = async (call) => {
  const { body, context, traceId } = call;
  const question = {
    query: body.query,
    operationName: body.operationName || undefined,
    variables: variablesOf(body.variables, context.config.limits.bodyValues),
  };
  const onFailure = (error: unknown) =>
    context.logger.error({ err: error, trace_id: traceId }, "a query's field failed");
  // Loaded by the first query: GraphQL is a sixth of all code.
  const { runQuery } = await import("../../domain/identity-protection/graph/run-query.ts");
  const answer = await runQuery(question, { call, limits: context.limits, onFailure });
  return { kind: "object", object: answer, withMeta: true };
};

type Variables = Call<"post_graphql">["body"]["variables"];

/** The variables by name. The request contains an object or its JSON text. */
function variablesOf(variables: Variables, mostValues: number): Readonly<Record<string, unknown>> {
  if (variables === undefined || variables === null || variables === "") return {};
  if (typeof variables !== "string") return variables;
  const { value, problems } = parsed(variables, mostValues);
  if (problems.length > 0) throw errors.invalidRequest(problems);
  if (value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refusal("expected JSON text of an object");
}

function parsed(text: string, mostValues: number): ReturnType<typeof parseJsonText> {
  try {
    return parseJsonText(text, "body.variables", mostValues);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw refusal(`not valid JSON at offset ${error.offset}: ${error.message}`);
  }
}

const refusal = (message: string) => errors.invalidRequest([{ at: "body.variables", message }]);
