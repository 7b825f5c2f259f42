import type { Condition, Filter, Literal, Value } from "./ast.ts";
import { printOperator } from "./operator.ts";

/**
 * The canonical text of a filter: single quotes, no redundant blanks or parentheses.
 * `parseFilter(printFilter(filter))` equals `filter`.
 */
export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case "everything":
      return "";
    case "condition":
      return printCondition(filter);
    case "and":
      // `+` binds tighter than `,`, so only an `or` inside an `and` needs parentheses.
      return filter.operands
        .map((operand) =>
          operand.kind === "or" ? `(${printFilter(operand)})` : printFilter(operand),
        )
        .join("+");
    case "or":
      return filter.operands.map(printFilter).join(",");
  }
}

function printCondition({ property, operator, negated, value }: Condition): string {
  return `${property}:${printOperator(operator, negated)}${printValue(value)}`;
}

function printValue(value: Value): string {
  return value.kind === "list"
    ? `[${value.items.map(printLiteral).join(",")}]`
    : printLiteral(value);
}

const printLiteral = (literal: Literal): string =>
  literal.kind === "string" ? `'${literal.value.replaceAll(/['\\]/g, "\\$&")}'` : textOf(literal);

/** The value as text, without quotes. */
export function textOf(literal: Literal): string {
  switch (literal.kind) {
    case "string":
      return literal.value;
    case "number":
      return literal.text;
    case "boolean":
      return String(literal.value);
    case "null":
      return "null";
  }
}
