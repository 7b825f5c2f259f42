import type { Operator } from "./ast.ts";

/** What the characters between the colon and the value say. */
export interface OperatorReading {
  readonly operator: Operator;
  readonly negated: boolean;
}

// The aliases `=`, `=<` and `=>` are tolerated and never printed.
const relational: ReadonlyMap<string, Operator> = new Map([
  ["=", "="],
  [">", ">"],
  [">=", ">="],
  ["=>", ">="],
  ["<", "<"],
  ["<=", "<="],
  ["=<", "<="],
]);

/** Reads a relational operator, or the flags `!`, `~` and `*` in any order; null if it is neither. */
export function readOperator(run: string): OperatorReading | null {
  const order = relational.get(run);
  if (order !== undefined) return { operator: order, negated: false };
  const flags = new Set(run);
  if (flags.size < run.length) return null;
  const negated = flags.delete("!");
  const text = flags.delete("~");
  const glob = flags.delete("*");
  if (flags.size > 0) return null;
  if (text) return { operator: glob ? "~*" : "~", negated };
  return { operator: glob ? "*" : "=", negated };
}

/** The canonical spelling: `!`, `~`, `!~`, `*`, `!*`, `~*`, `!~*`, `>`, … ; "" for equality. */
export function printOperator({ operator, negated }: OperatorReading): string {
  return (negated ? "!" : "") + (operator === "=" ? "" : operator);
}

/** Whether the operator compares by order, and so never matches null and takes one value. */
export function isOrder(operator: Operator): operator is "<" | "<=" | ">" | ">=" {
  return operator.startsWith("<") || operator.startsWith(">");
}
