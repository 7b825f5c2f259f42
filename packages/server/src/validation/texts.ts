import type { Problem } from "../errors.ts";

/** Maximum number of problems to look for; an answer lists fewer. */
const mostProblems = 101;

/**
 * Describes a text that the engines store differently: PostgreSQL has no place for U+0000, and UTF-8
 * none for half of a surrogate pair. Undefined for a text that can be read.
 */
export function textProblem(text: string): string | undefined {
  if (text.includes("\0")) return "contains the character U+0000, which no text may contain";
  if (text.isWellFormed()) return undefined;
  const half = /\p{Surrogate}/u.exec(text)?.[0].charCodeAt(0) ?? 0;
  return `contains half of a surrogate pair, \\u${half.toString(16)}; expected Unicode text`;
}

/** The texts of a JSON value that cannot be read, names of members included. */
export function unreadableTexts(value: unknown, place: string): readonly Problem[] {
  const problems: Problem[] = [];
  visit(value, place, problems);
  return problems;
}

/** The depth of a value is limited where its text is parsed. */
function visit(value: unknown, at: string, problems: Problem[]): void {
  if (problems.length >= mostProblems) return;
  if (typeof value === "string") {
    const message = textProblem(value);
    if (message !== undefined) problems.push({ at, message });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, `${at}[${index}]`, problems);
  } else if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) {
      const message = textProblem(name);
      if (message !== undefined) problems.push({ at, message: `the name of a member ${message}` });
      visit(member, `${at}.${name}`, problems);
    }
  }
}
