import {
  findField,
  type Condition,
  type Field,
  type Fields,
  type Filter,
  type Literal,
} from "@security-platform/fql";

/** The filter as code for the builder of `@security-platform/client`. */
export function builderCode(filter: Filter, resource: string, fields: Fields): string {
  const builder = /^[A-Za-z_$][\w$]*$/.test(resource)
    ? `.${resource}`
    : `[${JSON.stringify(resource)}]`;
  return [
    'import { filters } from "@security-platform/client";',
    "",
    `const f = filters${builder};`,
    `const filter = ${expression(filter, fields, "")};`,
  ].join("\n");
}

const width = 80;

function expression(filter: Filter, fields: Fields, indent: string): string {
  if (filter.kind === "everything") return "f.and()";
  if (filter.kind === "condition") return conditionCode(filter, fields, indent);
  return joined(
    filter.kind,
    filter.operands.map((each) => expression(each, fields, `${indent}  `)),
    indent,
  );
}

function joined(kind: "and" | "or", operands: readonly string[], indent: string): string {
  const flat = `f.${kind}(${operands.join(", ")})`;
  if (!flat.includes("\n") && indent.length + flat.length <= width) return flat;
  return `f.${kind}(\n${operands.map((each) => `${indent}  ${each},\n`).join("")}${indent})`;
}

const methods = {
  "=": "equals",
  "~": "text",
  "*": "glob",
  "~*": "globIgnoringCase",
  ">": "greaterThan",
  ">=": "atLeast",
  "<": "lessThan",
  "<=": "atMost",
} as const;

function conditionCode(condition: Condition, fields: Fields, indent: string): string {
  const { property, operator, negated, value } = condition;
  // The builder expects the table's spelling.
  const { name, field } = findField(fields, property) ?? { name: property, field: undefined };
  const start = `f.where(${JSON.stringify(name)})${negated ? ".not" : ""}`;
  const method = methods[operator];
  if (value.kind !== "list") {
    const isText = value.kind === "string";
    if (operator === "*" && isText && value.value === "*") return `${start}.isPresent()`;
    if (operator === "=" && isText && value.value === "") return `${start}.isEmpty()`;
    return `${start}.${method}(${literal(value, field)})`;
  }
  const items = value.items.map((item) => literal(item, field));
  if (operator === "=") return `${start}.oneOf([${items.join(", ")}])`;
  // The builder has no lists of patterns.
  const each = items.map((item) => `${start}.${method}(${item})`);
  return each.length === 1 ? each.join("") : joined(negated ? "and" : "or", each, indent);
}

/** A value with the type of its field: FQL also takes `'5'` for a number, and 5 for a text. */
function literal(value: Literal, field: Field | undefined): string {
  if (value.kind === "null") return "null";
  const text =
    value.kind === "string"
      ? value.value
      : value.kind === "number"
        ? value.text
        : String(value.value);
  const isBare =
    field === undefined ? value.kind !== "string" : ["number", "boolean"].includes(field.type);
  return isBare ? text : JSON.stringify(text);
}
