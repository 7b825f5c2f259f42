import { Lexer, parse, Source, syntaxError, TokenKind, visit, type DocumentNode } from "graphql";
import { textProblem } from "../../../validation/texts.ts";
import { QueryRefusal } from "./refusal.ts";

/** Maximum number of tokens. Longer queries take longer to validate than to execute. */
const mostTokens = 2_000;
/** Maximum nesting of brackets. The parser and the validation rules are recursive. */
const deepest = 100;

const opening: ReadonlySet<TokenKind> = new Set([
  TokenKind.PAREN_L,
  TokenKind.BRACKET_L,
  TokenKind.BRACE_L,
]);
const closing: ReadonlySet<TokenKind> = new Set([
  TokenKind.PAREN_R,
  TokenKind.BRACKET_R,
  TokenKind.BRACE_R,
]);

/** Parses a query. Throws `GraphQLError` for one that is malformed, too long or nested too deep. */
export function parseQuery(text: string): DocumentNode {
  const source = new Source(text);
  requireShallow(source);
  const document = parse(source, { maxTokens: mostTokens });
  visit(document, {
    StringValue: (node) => {
      const problem = textProblem(node.value);
      if (problem !== undefined) throw new QueryRefusal(`a text ${problem}`, node);
    },
  });
  return document;
}

function requireShallow(source: Source): void {
  const lexer = new Lexer(source);
  let depth = 0;
  for (let tokens = 0; tokens <= mostTokens; tokens += 1) {
    const { kind, start } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (opening.has(kind)) depth += 1;
    if (closing.has(kind)) depth -= 1;
    if (depth > deepest) {
      throw syntaxError(source, start, `the query is nested more than ${deepest} brackets deep`);
    }
  }
}
