import { excerptAt } from "./excerpt.ts";

/** A problem in a filter or a sort, with its position. */
export interface FqlIssue {
  /** UTF-16 code units from the start of the text. */
  readonly offset: number;
  /** The text around the offset, and on a second line a caret below it. */
  readonly excerpt: string;
  readonly reason: string;
  /** The known field or value that was probably intended. */
  readonly suggestion?: string;
  /** How to correct the expression. */
  readonly hint?: string;
}

/** The optional parts of an issue. */
export type Advice = Pick<FqlIssue, "suggestion" | "hint">;

/** The name of the expression in messages. */
type Expression = "filter" | "sort";

/** A filter or sort that cannot be parsed or is not valid for its fields. HTTP status 400. */
export class FqlSyntaxError extends Error implements FqlIssue {
  override readonly name = "FqlSyntaxError";
  readonly offset: number;
  readonly excerpt: string;
  readonly reason: string;
  readonly suggestion?: string;
  readonly hint?: string;

  constructor(issue: FqlIssue, expression: Expression = "filter") {
    super(describe(issue, expression));
    this.offset = issue.offset;
    this.excerpt = issue.excerpt;
    this.reason = issue.reason;
    if (issue.suggestion !== undefined) this.suggestion = issue.suggestion;
    if (issue.hint !== undefined) this.hint = issue.hint;
  }
}

/** Creates the error for `text` at `offset`. */
export function errorAt(
  text: string,
  offset: number,
  reason: string,
  advice: Advice = {},
  expression: Expression = "filter",
): FqlSyntaxError {
  const excerpt = excerptAt(text, offset);
  return new FqlSyntaxError({ offset, excerpt, reason, ...advice }, expression);
}

function describe(
  { offset, excerpt, reason, suggestion, hint }: FqlIssue,
  expression: Expression,
): string {
  const sentences = [`Invalid ${expression} expression supplied: ${reason} at offset ${offset}.`];
  if (suggestion !== undefined) sentences.push(`Did you mean '${suggestion}'?`);
  if (hint !== undefined) sentences.push(`${hint}.`);
  return `${sentences.join(" ")}\n${excerpt}`;
}
