import { RE2JS } from "re2js";
import { compileExpression } from "../../../expressions/compile.ts";

/** A process has its case from whoever typed it, and a command line may have line breaks. */
const flags = RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL;

/** What the automaton of one expression may grow to, as re2js has it. */
const automatonBytes = 8 * 1_024 * 1_024;
const bytesPerStep = 120;
const bytesAtLeast = 3_000;

/** An expression that whole texts are held against, in time linear in their length. */
export class Compiled {
  /** Instructions of the program. */
  readonly steps: number;
  readonly #program: RE2JS;

  constructor(program: RE2JS) {
    this.#program = program;
    this.steps = program.programSize();
  }

  matches(text: string): boolean {
    return this.#program.testExact(text);
  }

  /** About what it holds now: the automaton grows with the texts it has seen. */
  get bytes(): number {
    // Made at the first match; the declaration does not say so.
    const automaton = this.#program.re2().lazyDFA as { readonly memBudget: number } | null;
    const grown = automaton === null ? 0 : automatonBytes - automaton.memBudget;
    return bytesAtLeast + this.steps * bytesPerStep + grown;
  }
}

/** The expression, or what is wrong with it and where. */
export function compile(text: string): Compiled | { readonly problem: string } {
  const compiled = compileExpression(text, flags);
  return "problem" in compiled ? compiled : new Compiled(compiled.program);
}
