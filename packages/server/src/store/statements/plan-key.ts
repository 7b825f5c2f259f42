import type { Bindable } from "../dialects/dialect.ts";

/**
 * A value in a plan. It is bound when the statement runs and is not part of the plan's key, so plans that
 * differ only in values share a statement.
 */
export class Parameter<Value extends Bindable = Bindable> {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * The key of a plan: its text without the parameters. Appends the parameters' values to `values`, in the
 * order of the text. Plans with equal keys have the same number of parameters in the same places.
 */
export function planKey(plan: unknown, values: Bindable[]): string {
  if (plan instanceof Parameter) {
    values.push(plan.value);
    return "?";
  }
  if (typeof plan === "string") return quoted(plan);
  if (typeof plan !== "object" || plan === null) return String(plan);
  if (Array.isArray(plan)) {
    let items = "[";
    for (const item of plan) items += `${planKey(item, values)},`;
    return `${items}]`;
  }
  let members = "{";
  for (const name in plan) {
    members += `${quoted(name)}:${planKey((plan as Record<string, unknown>)[name], values)},`;
  }
  return `${members}}`;
}

/** Like `JSON.stringify` for texts, but faster for texts without characters to escape. */
const quoted = (text: string): string =>
  text.includes('"') || text.includes("\\") ? JSON.stringify(text) : `"${text}"`;

/**
 * A copy of the plan with only the data of its key. Each parameter holds its index in the list that `planKey`
 * fills instead of its value. Throws `TypeError` for anything but plain data.
 */
export function numberedPlan<Plan>(plan: Plan): Plan {
  let next = 0;
  const copy = (node: unknown): unknown => {
    if (node instanceof Parameter) {
      const numbered = new Parameter(next);
      next += 1;
      return numbered;
    }
    if (typeof node === "function" || typeof node === "symbol") throw notData(typeof node);
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map(copy);
    const prototype: unknown = Object.getPrototypeOf(node);
    if (prototype !== Object.prototype && prototype !== null) throw notData(node.constructor.name);
    const members: Record<string, unknown> = {};
    for (const name in node) members[name] = copy((node as Record<string, unknown>)[name]);
    return members;
  };
  return copy(plan) as Plan;
}

const notData = (valueType: string): TypeError =>
  new TypeError(`a plan holds plain data and parameters only, not a ${valueType}`);
