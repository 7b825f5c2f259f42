import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { tokensOf, type Token } from "./tokens.ts";
import { stepsOf, treeOf } from "./tree.ts";

/** Maximum number of steps of a program. Each step takes time and memory during matching. */
const mostSteps = 1_000;

/**
 * Compiles an expression in RE2 syntax, which matches texts in linear time. Returns the program, or an error
 * with its position.
 */
export function compileExpression(
  text: string,
  flags = 0,
): { readonly program: RE2JS } | { readonly problem: string } {
  const tree = treeOf(text);
  const steps = tree === null ? 0 : stepsOf(tree);
  if (steps > 4 * mostSteps) return { problem: tooLarge(`at least ${Math.ceil(steps / 2)}`) };
  try {
    const program = RE2JS.compile(text, flags);
    const size = program.programSize();
    return size > mostSteps ? { problem: tooLarge(String(size)) } : { program };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { problem: refused(text, refusalOf(error)) };
  }
}

/** An error of the compiler. `fragment` is the affected part of the expression. */
interface Refusal {
  readonly reason: string;
  readonly fragment: string | null;
}

const refusalOf = (error: RE2JSException): Refusal =>
  error instanceof RE2JSSyntaxException
    ? { reason: error.getDescription(), fragment: error.getPattern() }
    : { reason: error.message, fragment: null };

const tooLarge = (steps: string): string =>
  `is too large: its repetitions expand to ${steps} steps; at most ${mostSteps} are allowed`;

function refused(text: string, { reason, fragment }: Refusal): string {
  const at = placeOf(text, tokensOf(text), reason, fragment);
  const part = fragment !== null && text.startsWith(fragment, at) ? `: ${fragment}` : "";
  return `does not compile at offset ${at}: ${reason}${part}`;
}

/** The compiler reports a part of the expression without its position, so the position is searched for. */
function placeOf(
  text: string,
  tokens: readonly Token[],
  reason: string,
  fragment: string | null,
): number {
  const unpaired = unpairedParenthesis(tokens);
  if (reason.includes(")") && unpaired !== null) return unpaired;
  const duplicateAt = text.lastIndexOf(`<${fragment}>`);
  if (reason.includes("duplicate") && duplicateAt !== -1) return duplicateAt + 1;
  if (fragment === null || !text.includes(fragment)) return Math.max(0, text.length - 1);
  const begin = tokens.find(({ at }) => text.startsWith(fragment, at));
  return begin?.at ?? text.indexOf(fragment);
}

function unpairedParenthesis(tokens: readonly Token[]): number | null {
  const open: number[] = [];
  for (const { kind, at } of tokens) {
    if (kind === "open") open.push(at);
    if (kind === "close" && open.pop() === undefined) return at;
  }
  return open[0] ?? null;
}
