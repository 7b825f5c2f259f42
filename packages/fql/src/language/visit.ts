import { and, or, type And, type Condition, type Filter, type Or } from "./ast.ts";

/** Callbacks for entering a node of each kind. */
export interface FilterVisitor {
  readonly condition?: (condition: Condition) => void;
  readonly and?: (node: And) => void;
  readonly or?: (node: Or) => void;
}

/** Visits every node: a group before its operands, operands in text order. */
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

/** Replaces each condition with the result of `replace` and restores the normal form. */
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

/** The conditions in text order. */
export function conditionsOf(filter: Filter): readonly Condition[] {
  const conditions: Condition[] = [];
  visitFilter(filter, { condition: (condition) => conditions.push(condition) });
  return conditions;
}
