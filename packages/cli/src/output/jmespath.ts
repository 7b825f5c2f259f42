import {
  EmptyExpressionError,
  JMESPathError,
  LexerError,
  ParseError,
  search,
} from "@aws-lambda-powertools/jmespath";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";

type Value = Parameters<typeof search>[1];

/** Reads a JMESPath expression. Throws a `CommandError` that says what is wrong with it. */
export function evaluate(expression: string): (value: unknown) => unknown {
  const run = (value: unknown): unknown => {
    try {
      return search(expression, value as Value);
    } catch (error) {
      if (!(error instanceof JMESPathError)) throw error;
      throw new CommandError(`--query: ${error.message}`, exitCodes.usage, { cause: error });
    }
  };
  // Reports a syntax error before anything is requested. What the data must be is not known yet.
  try {
    run([]);
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    if ([LexerError, ParseError, EmptyExpressionError].some((kind) => cause instanceof kind)) {
      throw error;
    }
  }
  return run;
}
