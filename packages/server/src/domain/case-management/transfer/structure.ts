import { Lexer } from "yaml";

/** A template file has about ten levels. The parser needs seconds to reject thousands of levels. */
const mostLevels = 64;
/** Larger than the largest template, which has 200 fields with 500 options each. */
const mostTokens = 1_500_000;

/** Why a text must not be parsed, and the line; null if it may be parsed. */
export function structureProblem(
  text: string,
  tokensAllowed = mostTokens,
): { readonly line: number; readonly message: string } | null {
  let [line, tokens, brackets, indicators] = [1, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets -= 1;
    else if (token === "\n" || token === "\r\n") indicators = 0;
    // Each of these opens a level, also in one line: `- - - x`.
    else if (brackets === 0 && (token === "-" || token === "?")) indicators += 1;
    const levels = Math.max(brackets, indicators);
    if (levels > mostLevels) return { line, message: "is nested too deeply" };
    if (tokens > tokensAllowed) return { line, message: "has too many members" };
    line += token.split("\n").length - 1;
  }
  return null;
}
