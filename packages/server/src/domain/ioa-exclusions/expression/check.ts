import { LeastRecentlyUsed } from "../../../store/least-recently-used.ts";
import { matchesAnything } from "./breadth.ts";
import { compile, Compiled, type Refusal } from "./compiled.ts";
import { tokensOf, type Token } from "./tokens.ts";
import { stepsOf, treeOf } from "./tree.ts";

/** A program of more steps than this is refused: matching costs time and memory by the step. */
const mostSteps = 1_000;

export type Checked =
  /** `broad`: it says nothing about a process, as `.*` does. */
  { readonly broad: boolean } | { readonly problem: string };

const checks = new LeastRecentlyUsed<string, Checked>(4_096);

/** What an expression is worth, or what is wrong with it and where. */
export const checkExpression = (text: string): Checked => checks.get(text, () => check(text));

function check(text: string): Checked {
  const tokens = tokensOf(text);
  const assertion = tokens.find(({ kind }) => kind === "assertion");
  if (assertion !== undefined) {
    const written = text.slice(assertion.at, assertion.end);
    return {
      problem:
        `has the assertion ${written} at offset ${assertion.at}, which is not taken here: ` +
        `an expression always matches the whole text${characterHint(written)}`,
    };
  }
  const tree = treeOf(text);
  const steps = tree === null ? 0 : stepsOf(tree);
  if (steps > 4 * mostSteps) return { problem: tooLarge(`at least ${Math.ceil(steps / 2)}`) };
  const compiled = compile(text);
  if (!(compiled instanceof Compiled)) return { problem: refused(text, tokens, compiled) };
  if (compiled.steps > mostSteps) return { problem: tooLarge(String(compiled.steps)) };
  return { broad: matchesAnything(compiled) };
}

const tooLarge = (steps: string): string =>
  `is too large: its repetitions make ${steps} steps, and ${mostSteps} are taken`;

const characterHint = (written: string): string =>
  written.length === 1 ? `; for the character itself write \\${written}` : "";

function refused(text: string, tokens: readonly Token[], { reason, fragment }: Refusal): string {
  const at = placeOf(text, tokens, reason, fragment);
  const part = fragment !== null && text.startsWith(fragment, at) ? `: ${fragment}` : "";
  return `does not compile at offset ${at}: ${reason}${part}`;
}

/** The compiler names a part of the expression, not its place: it is where that part can begin. */
function placeOf(
  text: string,
  tokens: readonly Token[],
  reason: string,
  fragment: string | null,
): number {
  const unpaired = unpairedParenthesis(tokens);
  if (reason.includes(")") && unpaired !== null) return unpaired;
  const twice = text.lastIndexOf(`<${fragment}>`);
  if (reason.includes("duplicate") && twice !== -1) return twice + 1;
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
