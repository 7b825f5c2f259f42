import type { Literal } from "./ast.ts";
import type { NamedField } from "./find-field.ts";
import { canonicalIp, cidrRange } from "./ip.ts";
import { nearest } from "./nearest.ts";
import type { Leaf } from "./predicate.ts";
import { relativePeriod } from "./relative-time.ts";
import { clip } from "./source.ts";
import { errorOn, type Advice } from "./syntax-error.ts";
import { foldCase } from "./text.ts";
import { writtenPeriod, type Period } from "./timestamp.ts";

/** The text of a string, or of a number as written: an identifier of digits needs no quotes. */
export function textOf(literal: Literal, { name }: NamedField): string {
  if (literal.kind === "string") return literal.value;
  if (literal.kind === "number") return literal.text;
  throw mismatch(literal, `'${name}' takes a string`, { hint: "Put the value in quotes" });
}

/** The text, which must be one of the field's `values` if it lists any; "" is always allowed. */
export function listedTextOf(literal: Literal, target: NamedField): string {
  const text = textOf(literal, target);
  const { values, case: letterCase } = target.field;
  if (values === undefined || text === "" || values.includes(text)) return text;
  const folded = foldCase(text);
  if (letterCase === "insensitive" && values.some((value) => foldCase(value) === folded))
    return text;
  const suggestion = nearest(text, values);
  throw errorOn(literal, `'${target.name}' has no value '${clip(text)}'`, {
    ...(suggestion !== undefined && { suggestion }),
    hint: `Its values are ${values.join(", ")}`,
  });
}

/** The number; quoted digits count as one. */
export function numberOf(literal: Literal, { name }: NamedField): number {
  const text =
    literal.kind === "number" ? literal.text : literal.kind === "string" && literal.value;
  if (text === false || !/^-?[0-9]+(?:\.[0-9]+)?$/.test(text)) {
    throw mismatch(literal, `'${name}' takes a number`);
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw errorOn(literal, "the number is too large");
  return value === 0 ? 0 : value;
}

/** `true` or `false`, quoted or not, in any case. */
export function booleanOf(literal: Literal, { name }: NamedField): boolean {
  if (literal.kind === "boolean") return literal.value;
  const text = literal.kind === "string" ? literal.value.toLowerCase() : "";
  if (text !== "true" && text !== "false") {
    throw mismatch(literal, `'${name}' takes true or false`);
  }
  return text === "true";
}

/** The time that the literal covers. */
export function periodOf(literal: Literal, { name }: NamedField, now: Date): Period {
  const text = literal.kind === "string" ? literal.value : "";
  const period = writtenPeriod(text) ?? relativePeriod(text, now);
  if (period !== null) return period;
  throw mismatch(literal, `'${name}' takes a timestamp`, {
    hint: "Write RFC 3339, a date, now, now-7d (units s m h d w M y, case matters) or last 7 days",
  });
}

/** The condition of being the address or in the network that the literal says. */
export function addressOf(literal: Literal, { name: field }: NamedField): Leaf {
  const text = literal.kind === "string" ? literal.value : "";
  const value = canonicalIp(text);
  if (value !== null) return { kind: "equal", field, value, fold: false };
  const range = cidrRange(text);
  if (range !== null) return { kind: "cidr", field, ...range };
  throw mismatch(literal, `'${field}' takes an IP address or a network such as 192.0.2.0/24`);
}

function mismatch(literal: Literal, expectation: string, advice: Advice = {}): Error {
  return errorOn(literal, `${expectation}, not ${written(literal)}`, advice);
}

function written(literal: Literal): string {
  if (literal.kind === "string") return `'${clip(literal.value)}'`;
  if (literal.kind === "number") return clip(literal.text);
  return literal.kind === "null" ? "null" : String(literal.value);
}
