import {
  and,
  or,
  type Equality,
  type Filter,
  type Literal,
  type OrderOperator,
  type Pattern,
  type StringLiteral,
  type Value,
} from "../language/ast.ts";
import { printDecimal } from "../values/decimal.ts";
import type { Fields } from "../meaning/fields.ts";
import type {
  FieldConditions,
  FilterableName,
  FilterOf,
  Matching,
  Ordering,
  TextMatching,
} from "./field-types.ts";

/** Builds filters over the fields of `Table` only. */
export interface FilterBuilder<Table extends Fields> {
  where<Name extends FilterableName<Table>>(
    name: Name,
  ): FieldConditions<Table[Name], FilterOf<Table>>;
  /** Matches if all of them match. Without filters it matches everything. */
  and(...filters: readonly FilterOf<Table>[]): FilterOf<Table>;
  /** Matches if any of them matches. Throws a `RangeError` without filters. */
  or(...filters: readonly FilterOf<Table>[]): FilterOf<Table>;
}

/**
 * A builder for the fields of a table, which is passed as a type: `const f = fql<typeof
 * indicatorFields>()`, then `f.where("type").equals("domain")`. Unknown fields, and operators or values
 * that the type of a field does not support, do not compile.
 */
export function fql<Table extends Fields>(): FilterBuilder<Table> {
  // The compiler checks names and types; at run time one class serves every field.
  const builder = {
    where: (name: string) => {
      if (typeof name === "string") return new AnyFieldConditions(name);
      throw new TypeError(`where(name) needs the name of a field, not ${described(name)}`);
    },
    and: (...filters: readonly Filter[]) => and(filters.map(checked("and"))),
    or: (...filters: readonly Filter[]) => or(filters.map(checked("or"))),
  };
  return builder as FilterBuilder<Table>;
}

type Input = string | number | boolean | Date | null;

class MatchingConditions implements Matching<Input, Filter>, TextMatching<Filter> {
  protected readonly property: string;
  readonly #negated: boolean;

  constructor(property: string, negated: boolean) {
    this.property = property;
    this.#negated = negated;
  }

  equals(value: Input): Filter {
    // `''` alone would mean null or empty; in a list it is the empty string.
    return value === "" ? this.oneOf([value]) : this.#equality("=", this.literal("equals", value));
  }

  oneOf(values: readonly Input[]): Filter {
    if (!Array.isArray(values)) this.#refuse("oneOf", "a list of values", values);
    const [first, ...rest] = values.map((value, index) => this.literal("oneOf", value, index));
    if (first === undefined)
      throw new RangeError(`oneOf() on '${this.property}' needs at least one value`);
    return this.#equality("=", { kind: "list", items: [first, ...rest] });
  }

  isPresent(): Filter {
    return this.glob("*");
  }

  isEmpty(): Filter {
    return this.#equality("=", string(""));
  }

  text(needle: string): Filter {
    return this.#equality("~", this.#text("text", needle));
  }

  glob(pattern: string): Filter {
    return this.#pattern("*", this.#text("glob", pattern));
  }

  globIgnoringCase(pattern: string): Filter {
    return this.#pattern("~*", this.#text("globIgnoringCase", pattern));
  }

  /** The literal of an argument. Throws a `TypeError` for a value that no filter can contain. */
  protected literal(method: string, value: Input, index?: number): Literal {
    if (value === null) return { kind: "null" };
    if (typeof value === "string") return string(value);
    if (typeof value === "number") return { kind: "number", text: printDecimal(value) };
    if (typeof value === "boolean") return { kind: "boolean", value };
    // A date may come from another realm.
    if (typeof value?.toISOString === "function") return string(value.toISOString());
    return this.#refuse(method, "a string, number, boolean, Date or null", value, index);
  }

  #text(method: string, value: string): StringLiteral {
    return typeof value === "string" ? string(value) : this.#refuse(method, "a string", value);
  }

  #refuse(method: string, expected: string, value: unknown, index?: number): never {
    const place = index === undefined ? "" : `[${index}]`;
    const name = method === "oneOf" ? "values" : "value";
    throw new TypeError(
      `${method}(${name}${place}) on '${this.property}' needs ${expected}, not ${described(value)}`,
    );
  }

  #equality(operator: Equality["operator"], value: Value): Filter {
    return { kind: "condition", property: this.property, operator, negated: this.#negated, value };
  }

  #pattern(operator: Pattern["operator"], value: StringLiteral): Filter {
    return { kind: "condition", property: this.property, operator, negated: this.#negated, value };
  }
}

class AnyFieldConditions extends MatchingConditions implements Ordering<Input, Filter> {
  constructor(property: string) {
    super(property, false);
  }

  get not(): MatchingConditions {
    return new MatchingConditions(this.property, true);
  }

  greaterThan(value: Input): Filter {
    return this.#order(">", this.literal("greaterThan", value));
  }

  atLeast(value: Input): Filter {
    return this.#order(">=", this.literal("atLeast", value));
  }

  lessThan(value: Input): Filter {
    return this.#order("<", this.literal("lessThan", value));
  }

  atMost(value: Input): Filter {
    return this.#order("<=", this.literal("atMost", value));
  }

  #order(operator: OrderOperator, value: Literal): Filter {
    const { property } = this;
    return { kind: "condition", property, operator, negated: false, value };
  }
}

const described = (value: unknown): string =>
  typeof value === "object" && value !== null ? "an object" : String(value);

const checked =
  (method: string) =>
  (filter: Filter, index: number): Filter => {
    if (typeof filter?.kind === "string") return filter;
    throw new TypeError(`${method}(filters[${index}]) needs a filter, not ${described(filter)}`);
  };

function string(value: string): StringLiteral {
  return { kind: "string", value };
}
