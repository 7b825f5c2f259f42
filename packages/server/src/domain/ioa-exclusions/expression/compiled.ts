import { RE2JS } from "re2js";
import { compileExpression } from "../../../expressions/compile.ts";

/** Users type commands in upper or lower case, and a command line may contain line breaks. */
const flags = RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL;

/** The maximum size of an automaton in re2js. */
const automatonBytes = 8 * 1_024 * 1_024;
const bytesPerStep = 120;
const bytesAtLeast = 3_000;

/** A compiled expression that matches whole texts in time linear in their length. */
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

  /** Approximate bytes in memory: the automaton grows with the texts that it has matched. */
  get bytes(): number {
    // re2js creates the automaton at the first match, although its declaration file says it always exists.
    const automaton = this.#program.re2().lazyDFA as { readonly memBudget: number } | null;
    const grown = automaton === null ? 0 : automatonBytes - automaton.memBudget;
    return bytesAtLeast + this.steps * bytesPerStep + grown;
  }
}

/** The compiled expression, or its problem with the position. */
export function compile(text: string): Compiled | { readonly problem: string } {
  const compiled = compileExpression(text, flags);
  return "problem" in compiled ? compiled : new Compiled(compiled.program);
}
