import { isOfField } from "./gather-conditions.ts";
import type { CollectedField, Shape, ShapeScope } from "../statements/shapes.ts";

/** Minimum number of conditions on elements for which the elements of a row are read once for all of them. */
const many = 16;

/**
 * Collects conditions that compare many values with the elements of array fields, in groups that cannot
 * become one condition. The elements of each field are then read once per row instead of once per value.
 */
export function collected(conditions: readonly Shape[], scope: ShapeScope): readonly Shape[] {
  const fields = new Map<string, CollectedField>();
  const counts = conditions.map((each) => (isOfField(each) ? 0 : compare(each, scope, fields)));
  if (counts.reduce((sum, count) => sum + count, 0) < many) return conditions;
  const operands = conditions.filter((_, at) => counts[at] !== 0);
  const of: Shape = { kind: "and", operands };
  return [
    ...conditions.filter((_, at) => counts[at] === 0),
    { kind: "collected", fields: [...fields.values()], of },
  ];
}

/** Counts the values and adds the fields that they are compared with to `fields`. */
function compare(shape: Shape, scope: ShapeScope, fields: Map<string, CollectedField>): number {
  switch (shape.kind) {
    case "and":
    case "or":
      return shape.operands.reduce((sum, operand) => sum + compare(operand, scope, fields), 0);
    case "not":
      return compare(shape.operand, scope, fields);
    case "equal": {
      const { field, fold } = shape;
      if (scope.layout.fields.get(field)?.field.array !== true) return 0;
      fields.set(collectedColumn(shape), { field, fold });
      return 1;
    }
    default:
      return 0;
  }
}

export const collectedColumn = ({ field, fold }: CollectedField): string =>
  `${field}${fold ? "__fold" : ""}`;
