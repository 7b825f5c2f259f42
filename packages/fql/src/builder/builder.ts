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
    where: (name: string) => new AnyFieldConditions(name),
    and: (...filters: readonly Filter[]) => and(filters),
    or: (...filters: readonly Filter[]) => or(filters),
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
    return value === "" ? this.oneOf([value]) : this.#equality("=", literal(value));
  }

  oneOf(values: readonly Input[]): Filter {
    const [first, ...rest] = values.map(literal);
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
    return this.#equality("~", string(needle));
  }

  glob(pattern: string): Filter {
    return this.#pattern("*", pattern);
  }

  globIgnoringCase(pattern: string): Filter {
    return this.#pattern("~*", pattern);
  }

  #equality(operator: Equality["operator"], value: Value): Filter {
    return { kind: "condition", property: this.property, operator, negated: this.#negated, value };
  }

  #pattern(operator: Pattern["operator"], pattern: string): Filter {
    const value = string(pattern);
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
    return this.#order(">", value);
  }

  atLeast(value: Input): Filter {
    return this.#order(">=", value);
  }

  lessThan(value: Input): Filter {
    return this.#order("<", value);
  }

  atMost(value: Input): Filter {
    return this.#order("<=", value);
  }

  #order(operator: OrderOperator, value: Input): Filter {
    const { property } = this;
    return { kind: "condition", property, operator, negated: false, value: literal(value) };
  }
}

function literal(value: Input): Literal {
  if (value === null) return { kind: "null" };
  if (value instanceof Date) return string(value.toISOString());
  if (typeof value === "number") return { kind: "number", text: printDecimal(value) };
  if (typeof value === "boolean") return { kind: "boolean", value };
  return string(value);
}

function string(value: string): StringLiteral {
  return { kind: "string", value };
}
