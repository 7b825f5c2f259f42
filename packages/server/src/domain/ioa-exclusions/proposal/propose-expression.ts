import { checkExpression } from "../expression/check.ts";
import { compile, Compiled } from "../expression/compiled.ts";
import { escapeCharacter } from "./escape-character.ts";
import { volatilePartAt } from "./volatile-parts.ts";

/** The end of a line that identifies the process best. It is kept if the expression is too long. */
export type SpecificEnd = "start" | "end";

const longestExpression = 256;
const anything = ".*";
/** Maximum number of characters of a line that are used for an expression. */
const mostCharactersUsed = 4_096;

/**
 * An expression that matches its line, is valid for an exclusion, and is as specific as its maximum length
 * allows. It is literal except for volatile parts, and is cut at the less specific end.
 */
export function proposeExpression(line: string, specificEnd: SpecificEnd): string {
  const candidates = [
    fitted(piecesOf(line, specificEnd, true), specificEnd),
    fitted(piecesOf(line, specificEnd, false), specificEnd),
  ];
  return candidates.find((expression) => isUsable(expression, line)) ?? anything;
}

function isUsable(expression: string, line: string): boolean {
  const checked = checkExpression(expression);
  if ("problem" in checked || checked.broad) return false;
  const compiled = compile(expression);
  return compiled instanceof Compiled && compiled.matches(line);
}

interface Pieces {
  /** Expressions, in the order of the line. */
  readonly expressions: readonly string[];
  /** Whether the expressions cover the whole line. */
  readonly whole: boolean;
}

function piecesOf(line: string, specificEnd: SpecificEnd, generalise: boolean): Pieces {
  const used =
    specificEnd === "start"
      ? line.slice(0, mostCharactersUsed)
      : line.slice(Math.max(0, line.length - mostCharactersUsed));
  const expressions: string[] = [];
  let at = 0;
  while (at < used.length) {
    const part = generalise ? volatilePartAt(used, at) : null;
    if (part === null) {
      const character = String.fromCodePoint(used.codePointAt(at) ?? 0);
      expressions.push(escapeCharacter(character));
      at += character.length;
    } else {
      expressions.push(part.expression);
      at = part.end;
    }
  }
  return { expressions, whole: used.length === line.length };
}

function fitted({ expressions, whole }: Pieces, specificEnd: SpecificEnd): string {
  const complete = expressions.join("");
  if (whole && complete.length <= longestExpression) return complete;
  const room = longestExpression - anything.length;
  if (specificEnd === "start") return takeWhile(expressions, room).join("") + anything;
  const selected = takeWhile(expressions.toReversed(), room).toReversed();
  return anything + fromFolder(selected).join("");
}

function takeWhile(expressions: readonly string[], room: number): readonly string[] {
  let left = room;
  const end = expressions.findIndex((expression) => (left -= expression.length) < 0);
  return end === -1 ? expressions : expressions.slice(0, end);
}

/** Starts at the first complete folder name, if any. */
function fromFolder(expressions: readonly string[]): readonly string[] {
  const folder = expressions.findIndex((expression) => expression === "\\\\" || expression === "/");
  return folder === -1 ? expressions : expressions.slice(folder);
}
