import { Lexer } from "yaml";

/** A template file has about ten levels. The parser is recursive. */
const mostLevels = 64;
/** Maximum number of tokens. The largest template, with 200 fields of 500 options, has fewer. */
const mostTokens = 1_500_000;
/** Exported files have none. The parser reports each that it does not know. */
const mostMarks = 100;

/** The lexer's sign in front of a text that is not in quotation marks. */
const unquotedTextMark = "\u001f";
/** Other signs of the lexer that are not in the text: the start of a document, the end of a line in brackets. */
const signs: ReadonlySet<string> = new Set(["\u0002", "\u0018"]);

/**
 * Checks a text before it is parsed. Returns the number of its tokens, or why it must not be parsed and the
 * line.
 */
export function checkStructure(
  text: string,
  tokensAllowed = mostTokens,
): number | { readonly line: number; readonly message: string } {
  /** Columns of the open levels without brackets. */
  const columns: number[] = [];
  let [line, column, tokens, brackets, marks] = [1, 0, 0, 0, 0];
  /** Whether the line has had only spaces and indicators so far. */
  let atStart = true;
  let previous = "";
  const refused = (message: string) => ({ line, message });
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > Math.min(tokensAllowed, mostTokens)) return refused("has too many members");
    if (signs.has(token)) continue;
    const isText = previous === unquotedTextMark;
    previous = token;
    if (token === "[" || token === "{") brackets += 1;
    else if (token === "]" || token === "}") brackets -= 1;
    if (brackets < 0) return refused(`has a ${token} that closes nothing`);
    const isIndicator = token === "-" || token === "?";
    if (atStart && brackets === 0 && token.trim() !== "") {
      while ((columns.at(-1) ?? -1) >= column) columns.pop();
      columns.push(column);
      atStart = isIndicator;
    }
    if (columns.length + brackets > mostLevels) return refused("is nested too deeply");
    if (!isText && token.startsWith("*")) {
      // Aliases could refer in a circle, or make a small file large.
      return refused("aliases are not supported; repeat the content");
    }
    if (!isText && /^[!&%]/.test(token)) marks += 1;
    if (marks > mostMarks) return refused("has too many tags, anchors or directives");
    if (token === unquotedTextMark) continue;
    const breaks = token.split("\n").length - 1;
    line += breaks;
    column = breaks === 0 ? column + token.length : token.length - token.lastIndexOf("\n") - 1;
    if (breaks > 0) atStart = true;
  }
  return tokens;
}
