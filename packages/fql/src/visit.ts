import { and, or, type And, type Condition, type Filter, type Or } from "./ast.ts";

/** What to do on entering a node of each kind. */
export interface FilterVisitor {
  readonly condition?: (condition: Condition) => void;
  readonly and?: (node: And) => void;
  readonly or?: (node: Or) => void;
}

/** Visits every node, a group before its operands, operands in the order of the text. */
export function visitFilter(filter: Filter, visitor: FilterVisitor): void {
  switch (filter.kind) {
    case "everything":
      return;
    case "condition":
      visitor.condition?.(filter);
      return;
    case "and":
      visitor.and?.(filter);
      break;
    case "or":
      visitor.or?.(filter);
      break;
  }
  for (const operand of filter.operands) visitFilter(operand, visitor);
}

/** The filter with each condition replaced by what `replace` makes of it, in normal form again. */
export function mapFilter(filter: Filter, replace: (condition: Condition) => Filter): Filter {
  switch (filter.kind) {
    case "everything":
      return filter;
    case "condition":
      return replace(filter);
    case "and":
      return and(filter.operands.map((operand) => mapFilter(operand, replace)));
    case "or":
      return or(filter.operands.map((operand) => mapFilter(operand, replace)));
  }
}

/** The conditions in the order of the text. */
export function conditionsOf(filter: Filter): readonly Condition[] {
  const conditions: Condition[] = [];
  visitFilter(filter, { condition: (condition) => conditions.push(condition) });
  return conditions;
}
