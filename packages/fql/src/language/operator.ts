import type { Equality, Operator, OrderOperator, Pattern } from "./ast.ts";

/** The meaning of the characters between the colon and the value. */
export type OperatorReading =
  | { readonly operator: (Equality | Pattern)["operator"]; readonly negated: boolean }
  | { readonly operator: OrderOperator; readonly negated: false };

// The aliases `=<`, `=>` and `=` are accepted, but never printed.
const orders: ReadonlyMap<string, OrderOperator> = new Map([
  [">", ">"],
  [">=", ">="],
  ["=>", ">="],
  ["<", "<"],
  ["<=", "<="],
  ["=<", "<="],
]);

/** Reads a relational operator, or the flags `!`, `~` and `*` in any order; null if it is neither. */
export function readOperator(run: string): OperatorReading | null {
  const order = orders.get(run);
  if (order !== undefined) return { operator: order, negated: false };
  if (run === "=") return { operator: "=", negated: false };
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
export function printOperator(operator: Operator, negated: boolean): string {
  return (negated ? "!" : "") + (operator === "=" ? "" : operator);
}

export function isOrder(operator: Operator): operator is OrderOperator {
  return operator.startsWith("<") || operator.startsWith(">");
}
