import { checkExpression } from "../expression/check.ts";
import { compile, Compiled } from "../expression/compiled.ts";
import { escapeCharacter } from "./escape-character.ts";
import { volatilePartAt } from "./volatile-parts.ts";

/** The end of a line that identifies the process best. It is kept if the expression is too long. */
export type TellingEnd = "start" | "end";

const longestExpression = 256;
const anything = ".*";
/** Maximum number of characters of a line that are used for an expression. */
const lookedAt = 4_096;

/**
 * An expression that matches its line, is valid for an exclusion, and is as specific as its maximum length
 * allows. It is literal except for volatile parts, and is cut at the less specific end.
 */
export function proposeExpression(line: string, telling: TellingEnd): string {
  const candidates = [
    fitted(piecesOf(line, telling, true), telling),
    fitted(piecesOf(line, telling, false), telling),
  ];
  return candidates.find((expression) => isSound(expression, line)) ?? anything;
}

function isSound(expression: string, line: string): boolean {
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

function piecesOf(line: string, telling: TellingEnd, generalise: boolean): Pieces {
  const looked =
    telling === "start" ? line.slice(0, lookedAt) : line.slice(Math.max(0, line.length - lookedAt));
  const expressions: string[] = [];
  let at = 0;
  while (at < looked.length) {
    const part = generalise ? volatilePartAt(looked, at) : null;
    if (part === null) {
      const character = String.fromCodePoint(looked.codePointAt(at) ?? 0);
      expressions.push(escapeCharacter(character));
      at += character.length;
    } else {
      expressions.push(part.expression);
      at = part.end;
    }
  }
  return { expressions, whole: looked.length === line.length };
}

function fitted({ expressions, whole }: Pieces, telling: TellingEnd): string {
  const complete = expressions.join("");
  if (whole && complete.length <= longestExpression) return complete;
  const room = longestExpression - anything.length;
  if (telling === "start") return takeWhile(expressions, room).join("") + anything;
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
