import type { components } from "@security-platform/spec";
import {
  executeRootSelectionSet,
  GraphQLError,
  MaxIntrospectionDepthRule,
  specifiedRules,
  validate,
  validateExecutionArgs,
  visit,
  type DocumentNode,
} from "graphql";
import type { Limits } from "../../../limits/limits.ts";
import { tenantPoints, type Spending } from "../../../limits/points.ts";
import { StoreUnavailableError } from "../../../store/index.ts";
import { costOf } from "./cost.ts";
import { Reading } from "./reading.ts";
import { parseQuery } from "./parse-query.ts";
import { QueryRefusal } from "./refusal.ts";
import { identitySchema } from "./schema.ts";

type Schemas = components["schemas"];
type Answer = Omit<Schemas["IdentityGraphqlAnswer"], "meta">;
type ErrorEntry = Schemas["IdentityGraphqlError"];

interface Question {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

interface QueryContext {
  readonly call: ConstructorParameters<typeof Reading>[0];
  readonly limits: Pick<Limits, "spend">;
  /** Receives server errors. */
  readonly onFailure: (error: unknown) => void;
}

const mostErrors = 100;
const rules = [...new Set([...specifiedRules, MaxIntrospectionDepthRule])];

/**
 * Executes a query according to the GraphQL specification. The response to an invalid query contains
 * `errors`.
 */
export async function runQuery(
  { query, variables, operationName }: Question,
  queryContext: QueryContext,
): Promise<Answer> {
  const { call, limits } = queryContext;
  const { cid } = call.caller;
  const started = performance.now();
  const extensions = (
    { remaining, reset }: Spending,
    consumedPoints: number,
  ): Answer["extensions"] => {
    const runTime = Math.round(performance.now() - started);
    return { runTime, consumedPoints, remainingPoints: remaining, reset };
  };
  const refused = async (errors: readonly GraphQLError[], consumedPoints = 0): Promise<Answer> => ({
    errors: entriesOf(errors, queryContext),
    extensions: extensions(await limits.spend(cid, 0, call.now), consumedPoints),
  });
  const document = checked(query);
  if (!("kind" in document)) return refused(document);
  const reading = new Reading(call, fieldsOf(document));
  const ready = validateExecutionArgs({
    schema: identitySchema(),
    document,
    variableValues: variables,
    operationName,
    contextValue: reading,
  });
  if (!("operation" in ready)) return refused(ready);
  let cost: number;
  try {
    cost = costOf(ready);
  } catch (error) {
    if (error instanceof GraphQLError) return refused([error]);
    throw error;
  }
  const spending = await limits.spend(cid, cost, call.now);
  if (!spending.accepted) {
    const message = `the query costs ${cost} points, and ${spending.remaining} of ${tenantPoints} are left; they are restored within ten minutes`;
    return refused([new QueryRefusal(message, ready.operation)]);
  }
  const { data, errors } = await executeRootSelectionSet(ready);
  const outage = errors?.find((error) => error.originalError instanceof StoreUnavailableError);
  if (outage !== undefined) throw outage.originalError;
  if (reading.refusal !== null) return refused([reading.refusal], cost);
  return {
    ...(data === undefined ? {} : { data: data as NonNullable<Answer["data"]> | null }),
    ...(errors === undefined
      ? {}
      : { errors: entriesOf(errors, queryContext, data !== undefined) }),
    extensions: extensions(spending, cost),
  };
}

function fieldsOf(document: DocumentNode): number {
  let fields = 0;
  visit(document, {
    Field: () => {
      fields += 1;
    },
  });
  return fields;
}

/** The parsed and validated query, or its errors. */
function checked(text: string): DocumentNode | readonly GraphQLError[] {
  let document: DocumentNode;
  try {
    document = parseQuery(text);
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
  const errors = validate(identitySchema(), document, rules, { maxErrors: mostErrors - 1 });
  return errors.length > 0 ? errors : document;
}

/** `ran`: the errors occurred during execution, and may be server errors. */
const entriesOf = (
  errors: readonly GraphQLError[],
  { onFailure }: QueryContext,
  ran = false,
): [ErrorEntry, ...ErrorEntry[]] =>
  errors.slice(0, mostErrors).map((error): ErrorEntry => {
    const cause = error.originalError ?? error;
    const toBlame = !ran || cause instanceof QueryRefusal;
    if (!toBlame) onFailure(cause);
    const { locations, path } = error;
    return {
      code: toBlame ? 400 : 500,
      message: toBlame ? error.message : "internal error; the log contains it under the trace id",
      ...(locations === undefined
        ? {}
        : { locations: locations.map(({ line, column }) => ({ line, column })) }),
      ...(path === undefined ? {} : { path: [...path] }),
    };
  }) as [ErrorEntry, ...ErrorEntry[]];
