import {
  and,
  everything,
  or,
  type Condition,
  type Filter,
  type List,
  type Literal,
  type StringLiteral,
} from "./ast.ts";
import { Lexer } from "./lexer.ts";
import { defaultLimits, limitLength, type Limits } from "./limits.ts";
import { isOrder, readOperator, type OperatorReading } from "./operator.ts";
import { isDecimal } from "../values/decimal.ts";
import { clip } from "./excerpt.ts";
import { setSource, type Place } from "./source.ts";
import type { Advice } from "./syntax-error.ts";

const joinHint =
  "Join conditions with '+' (and) or ',' (or); a raw '+' in a URL decodes to a space, so send it as %2B";
const quoteHint = "Quote values that contain anything but letters, digits and _ . - @ /";
const wordStart = /^[A-Za-z0-9_]/;

/**
 * Parses `text`; blank text gives `everything`. Checks the grammar and the limits, but not the
 * fields (see `checkFilter`). Linear in the text. Throws an `FqlSyntaxError`.
 */
export function parseFilter(text: string, limits: Partial<Limits> = {}): Filter {
  const parser = new Parser(text, { ...defaultLimits, ...limits });
  return parser.filter();
}

type Without<Node, Keys extends keyof Node> = Node extends unknown ? Omit<Node, Keys> : never;

/** A condition without its property. */
type Comparison = Without<Condition, "kind" | "property">;

/** Whether both are conditions that name a value of the same field, or both exclude one (`negated`). */
function namesSameField(left: Filter | undefined, right: Filter, negated: boolean): boolean {
  return (
    namesValue(left, negated) &&
    namesValue(right, negated) &&
    left.property.toLowerCase() === right.property.toLowerCase()
  );
}

const namesValue = (filter: Filter | undefined, negated: boolean): filter is Condition =>
  filter?.kind === "condition" &&
  filter.operator === "=" &&
  filter.negated === negated &&
  filter.value.kind !== "list";

class Parser {
  readonly #lexer: Lexer;
  readonly #limits: Limits;
  readonly #places: Place[] = [];
  /** Where the conditions begin that count towards the limit. */
  readonly #counted: number[] = [];
  readonly #properties = new Set<string>();

  constructor(text: string, limits: Limits) {
    limitLength(text, limits.bytes);
    this.#lexer = new Lexer(text);
    this.#limits = limits;
  }

  filter(): Filter {
    this.#lexer.skipBlank();
    if (this.#lexer.atEnd) return everything;
    const filter = this.#or(0);
    if (this.#lexer.next === ")") {
      throw this.#lexer.error(this.#lexer.offset, "unmatched )");
    }
    if (!this.#lexer.atEnd) throw this.#notJoined("the end");
    setSource(filter, { text: this.#lexer.text, places: this.#places });
    return filter;
  }

  #or(nesting: number): Filter {
    return or(this.#chain(",", false, () => this.#and(nesting)));
  }

  #and(nesting: number): Filter {
    return and(this.#chain("+", true, () => this.#primary(nesting)));
  }

  /**
   * Operands of which a run counts as one condition, like a list, if each names a value of the same field: with
   * `,` a value that it has, and with `+` one that it does not have (`negated`).
   */
  #chain(separator: "," | "+", negated: boolean, operand: () => Filter): Filter[] {
    const operands: Filter[] = [];
    let inRun = 0;
    do {
      this.#lexer.skipBlank();
      const next = operand();
      const continues = namesSameField(operands.at(-1), next, negated);
      inRun = continues && inRun < this.#limits.listItems ? inRun + 1 : 1;
      if (inRun > 1) this.#counted.pop();
      if (separator === ",") this.#limitConditions();
      operands.push(next);
      this.#lexer.skipBlank();
    } while (this.#lexer.take(separator));
    return operands;
  }

  #primary(nesting: number): Filter {
    const open = this.#lexer.offset;
    if (!this.#lexer.take("(")) return this.#condition();
    if (nesting >= this.#limits.nesting) {
      throw this.#lexer.error(
        open,
        `parentheses are nested more than ${this.#limits.nesting} deep`,
      );
    }
    const filter = this.#or(nesting + 1);
    if (this.#lexer.take(")")) return filter;
    if (this.#lexer.atEnd) throw this.#lexer.error(open, "the ( is not closed");
    throw this.#notJoined("')'");
  }

  #condition(): Condition {
    const start = this.#lexer.offset;
    const property = this.#lexer.property();
    if (property === "") throw this.#noCondition();
    this.#count(property, start);
    this.#lexer.skipBlank();
    if (!this.#lexer.take(":")) throw this.#noColon(property);
    this.#lexer.skipBlank();
    const operator = this.#lexer.offset;
    const reading = this.#operator();
    this.#lexer.skipBlank();
    const values: number[] = [];
    const comparison = this.#comparison(reading, operator, values);
    this.#places.push({ start, operator, values });
    return { kind: "condition", property, ...comparison };
  }

  #limitConditions(): void {
    const excess = this.#counted[this.#limits.conditions];
    if (excess === undefined) return;
    const hint = "Write many values of one field as a list, such as name:['a','b']";
    throw this.#lexer.error(excess, `more than ${this.#limits.conditions} conditions`, { hint });
  }

  #count(property: string, start: number): void {
    this.#counted.push(start);
    this.#properties.add(property.toLowerCase());
    if (this.#properties.size > this.#limits.properties) {
      throw this.#lexer.error(start, `more than ${this.#limits.properties} different fields`);
    }
  }

  #operator(): OperatorReading {
    const lexer = this.#lexer;
    const start = lexer.offset;
    let run = lexer.operators();
    const star = run.indexOf("*");
    if (star >= 0) {
      lexer.skipBlank();
      // Before a quote or a list, the star is the glob operator; elsewhere it starts a bare glob.
      if (!lexer.atQuote && lexer.next !== "[") {
        run = run.slice(0, star);
        lexer.offset = start + star;
      }
    }
    const reading = readOperator(run);
    if (reading === null) {
      throw lexer.error(start, `${clip(run)} is not an operator`, {
        hint: "The operators are > >= < <=, and any combination of ! ~ *",
      });
    }
    return reading;
  }

  /** The operator and the value. A bare glob turns the operator into a glob operator. */
  #comparison(reading: OperatorReading, operatorStart: number, values: number[]): Comparison {
    const { operator, negated } = reading;
    const lexer = this.#lexer;
    if (lexer.next === "[") {
      if (!isOrder(operator)) return { operator, negated, value: this.#list(values) };
      throw lexer.error(operatorStart, `${operator} takes one value, not a list`);
    }
    values.push(lexer.offset);
    if (isOrder(operator)) {
      const value = this.#plain(operatorStart, `${operator} does not take a pattern`);
      return { operator, negated: false, value };
    }
    if (lexer.atQuote) return { operator, negated, value: this.#quoted() };
    const value = this.#unquoted();
    const text = operator === "~";
    if (isPattern(value)) return { operator: text ? "~*" : "*", negated, value };
    return { operator: text ? "~" : "=", negated, value };
  }

  #list(values: number[]): List {
    const open = this.#lexer.offset;
    this.#lexer.take("[");
    this.#lexer.skipBlank();
    if (this.#lexer.next === "]") throw this.#lexer.error(open, "the list is empty");
    const items: [Literal, ...Literal[]] = [this.#item(values)];
    while (this.#lexer.take(",")) {
      this.#lexer.skipBlank();
      if (items.length >= this.#limits.listItems) {
        const reason = `more than ${this.#limits.listItems} values in a list`;
        throw this.#lexer.error(this.#lexer.offset, reason);
      }
      items.push(this.#item(values));
    }
    if (this.#lexer.take("]")) return { kind: "list", items };
    if (this.#lexer.atEnd) throw this.#lexer.error(open, "the [ is not closed");
    throw this.#lexer.unexpected("expected , or ]", { hint: quoteHint });
  }

  #item(values: number[]): Literal {
    const start = this.#lexer.offset;
    if (this.#lexer.next === "[") throw this.#lexer.error(start, "a list cannot contain a list");
    const item = this.#plain(start, "a pattern in a list needs quotes");
    values.push(start);
    this.#lexer.skipBlank();
    return item;
  }

  /**
   * A scalar that is not a bare glob. For a bare glob it throws an error with the message `refusal` at
   * `offset`.
   */
  #plain(offset: number, refusal: string): Literal {
    if (this.#lexer.atQuote) return this.#quoted();
    const literal = this.#unquoted();
    if (!isPattern(literal)) return literal;
    throw this.#lexer.error(offset, refusal);
  }

  #quoted(): StringLiteral {
    return { kind: "string", value: this.#lexer.string() };
  }

  #unquoted(): Literal {
    const start = this.#lexer.offset;
    const word = this.#lexer.word();
    const lower = word.toLowerCase();
    if (isDecimal(word)) return { kind: "number", text: word };
    if (lower === "true" || lower === "false") return { kind: "boolean", value: lower === "true" };
    if (lower === "null") return { kind: "null" };
    if (wordStart.test(word) || word.includes("*")) return { kind: "string", value: word };
    this.#lexer.offset = start;
    const missing = this.#lexer.atEnd || "+,)]".includes(this.#lexer.next);
    throw this.#lexer.unexpected("expected a value", missing ? {} : { hint: quoteHint });
  }

  #noCondition(): Error {
    const lexer = this.#lexer;
    const advice: Advice =
      lexer.next === "!" ? { hint: "Put the ! after the colon: field:!'value'" } : {};
    return lexer.unexpected("expected a condition", advice);
  }

  #noColon(property: string): Error {
    const lexer = this.#lexer;
    const advice: Advice = ["=", "!", "<", ">", "~"].includes(lexer.next)
      ? { hint: "Put the operator after the colon: field:>5" }
      : {};
    return lexer.unexpected(`expected ':' after the field '${clip(property)}'`, advice);
  }

  /** The error for text after a complete condition that is neither a separator nor the end of the group. */
  #notJoined(close: string): Error {
    const lexer = this.#lexer;
    const hint = lexer.atProperty || lexer.next === "(" ? joinHint : quoteHint;
    if (hint === joinHint && lexer.afterBlank) {
      return lexer.error(lexer.offset, "missing '+' or ',' between two conditions", { hint });
    }
    return lexer.unexpected(`expected '+', ',' or ${close}`, { hint });
  }
}

/** Whether an unquoted value is a glob. */
function isPattern(literal: Literal): literal is StringLiteral {
  return literal.kind === "string" && literal.value.includes("*");
}
