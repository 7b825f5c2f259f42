import {
  checkFilter,
  FqlSyntaxError,
  parseFilter,
  parseSort,
  type Fields,
  type Filter,
} from "@security-platform/fql";

/** A filter or a sort that an operation would refuse. */
export interface ExpressionProblem {
  readonly expression: "filter" | "sort";
  readonly error: FqlSyntaxError;
}

/** The filter, or all its problems; a filter that cannot be parsed has one. */
export function readFilter(
  text: string,
  fields: Fields,
): { readonly filter?: Filter; readonly problems: readonly ExpressionProblem[] } {
  try {
    const filter = parseFilter(text);
    const issues = checkFilter(filter, fields);
    const problems = issues.map((issue) => problem("filter", new FqlSyntaxError(issue)));
    return problems.length === 0 ? { filter, problems } : { problems };
  } catch (error) {
    return { problems: [problem("filter", error)] };
  }
}

/** The first problem of a sort; none if it is valid. */
export function sortProblems(text: string, fields: Fields): readonly ExpressionProblem[] {
  try {
    parseSort(text, fields);
    return [];
  } catch (error) {
    return [problem("sort", error)];
  }
}

function problem(expression: ExpressionProblem["expression"], error: unknown): ExpressionProblem {
  if (error instanceof FqlSyntaxError) return { expression, error };
  throw error;
}
