import { LeastRecentlyUsed } from "../../../foundation/least-recently-used.ts";
import { tokensOf } from "../../../expressions/tokens.ts";
import { matchesAnything } from "./breadth.ts";
import { compile, Compiled } from "./compiled.ts";

export type Checked =
  /** `broad`: the expression matches any process, as `.*` does. */
  { readonly broad: boolean } | { readonly problem: string };

const checks = new LeastRecentlyUsed<string, Checked>(4_096);

/** Checks an expression: returns whether it is broad, or its problem with the position. */
export const checkExpression = (text: string): Checked => checks.get(text, () => check(text));

function check(text: string): Checked {
  const assertion = tokensOf(text).find(({ kind }) => kind === "assertion");
  if (assertion !== undefined) {
    const written = text.slice(assertion.at, assertion.end);
    return {
      problem:
        `has the assertion ${written} at offset ${assertion.at}, which is not supported: ` +
        `an expression always matches the whole text${characterHint(written)}`,
    };
  }
  const compiled = compile(text);
  return compiled instanceof Compiled ? { broad: matchesAnything(compiled) } : compiled;
}

const characterHint = (written: string): string =>
  written.length === 1 ? `; to match the character itself, write \\${written}` : "";
