import {
  buildSchema,
  getVariableValues,
  GraphQLError,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from "graphql";

/** A problem with a query or with its variables. */
export interface QueryProblem {
  /** One sentence, with the line and the column in the query. */
  readonly text: string;
  /** Offsets in the query; null for a problem with the variables. */
  readonly mark: { readonly from: number; readonly to: number } | null;
}

export const schemaOf = (text: string): GraphQLSchema => buildSchema(text);

/** The problems of a query with its variables, which are JSON. The server also checks the cost and the depth. */
export function queryProblems(
  schema: GraphQLSchema,
  query: string,
  variables: string,
): readonly QueryProblem[] {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return [problemOf(error, query)];
    throw error;
  }
  const problems = validate(schema, document).map((error) => problemOf(error, query));
  return problems.length > 0 ? problems : variableProblems(schema, document, variables);
}

function problemOf({ message, nodes, positions, locations }: GraphQLError, query: string) {
  const [node] = nodes ?? [];
  const name = node !== undefined && "name" in node ? node.name?.loc : undefined;
  const from = name?.start ?? Math.min(positions?.[0] ?? 0, query.length);
  const [word = ""] = /^(?:[$@]?\w+|.)/s.exec(query.slice(from)) ?? [];
  const [place] = locations ?? [];
  const where = place === undefined ? "" : `line ${place.line}, column ${place.column}: `;
  return { text: `Query: ${where}${message}`, mark: { from, to: name?.end ?? from + word.length } };
}

function variableProblems(
  schema: GraphQLSchema,
  document: DocumentNode,
  text: string,
): readonly QueryProblem[] {
  const problem = (message: string): QueryProblem => ({
    text: `Variables: ${message}`,
    mark: null,
  });
  let values: unknown;
  try {
    values = text.trim() === "" ? {} : JSON.parse(text);
    // The operation also accepts JSON text of an object.
    if (typeof values === "string") values = JSON.parse(values);
  } catch (error) {
    return [problem(`this is not JSON: ${(error as Error).message}`)];
  }
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    return [problem("expected an object with a member for each variable")];
  }
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return [];
  const { errors = [] } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    values as Record<string, unknown>,
  );
  return errors.map(({ message }) => problem(message));
}
