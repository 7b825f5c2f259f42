import type { Literal } from "../language/ast.ts";
import { isDecimal } from "../values/decimal.ts";
import { clip } from "../language/excerpt.ts";
import type { NamedField } from "./find-field.ts";
import { canonicalIp, cidrRange } from "../values/ip.ts";
import { nearest } from "../language/nearest.ts";
import type { Leaf } from "./predicate.ts";
import { relativePeriod } from "../values/relative-time.ts";
import type { Advice } from "../language/syntax-error.ts";
import { foldCase } from "../values/text.ts";
import { writtenPeriod, type Period } from "../values/timestamp.ts";

/** A literal, its field, and a function that creates the error for an invalid literal. */
export interface Operand extends NamedField {
  readonly literal: Literal;
  readonly refusal: (reason: string, advice?: Advice) => Error;
}

/** The text of a string, or of a number as written, because identifiers of digits need no quotes. */
export function textOf(operand: Operand): string {
  const { literal } = operand;
  if (literal.kind === "string") return literal.value;
  if (literal.kind === "number") return literal.text;
  throw mismatch(operand, "a string", { hint: "Put the value in quotes" });
}

const tenantId = /^([\da-f]{32})(-[\da-f]{2})?$/i;

/**
 * The text. If the field lists `values`, the text must be one of them, ignoring case, and is returned as
 * listed; "" is always allowed.
 */
export function listedTextOf(operand: Operand): string {
  const text = textOf(operand);
  const { values, spellings = {}, form } = operand.field;
  if (form === "tenant-id") return tenantId.exec(text)?.[1]?.toLowerCase() ?? text;
  if (values === undefined || text === "" || values.includes(text)) return text;
  const folded = foldCase(text);
  if (Object.hasOwn(spellings, folded)) return spellings[folded] ?? text;
  const listed = values.find((value) => foldCase(value) === folded);
  if (listed !== undefined) return listed;
  const suggestion = nearest(text, values);
  throw operand.refusal(`'${clip(text)}' is not an allowed value of '${operand.name}'`, {
    ...(suggestion !== undefined && { suggestion }),
    hint: `Allowed values are ${values.map((value) => (value === "" ? "''" : value)).join(", ")}`,
  });
}

/** The number; quoted digits are accepted. */
export function numberOf(operand: Operand): number {
  const { literal } = operand;
  const text = literal.kind === "number" ? literal.text : stringOf(literal);
  if (!isDecimal(text)) throw mismatch(operand, "a number");
  const value = Number(text);
  if (!Number.isFinite(value)) throw operand.refusal("the number is too large");
  return value === 0 ? 0 : value;
}

/** `true` or `false`, with or without quotes, ignoring case. */
export function booleanOf(operand: Operand): boolean {
  const { literal } = operand;
  if (literal.kind === "boolean") return literal.value;
  const text = stringOf(literal).toLowerCase();
  if (text !== "true" && text !== "false") throw mismatch(operand, "true or false");
  return text === "true";
}

/** The period that the literal covers. */
export function periodOf(operand: Operand, now: Date): Period {
  const text = stringOf(operand.literal);
  const period = writtenPeriod(text) ?? relativePeriod(text, now);
  if (period !== null) return period;
  throw mismatch(operand, "a timestamp", {
    hint: "Write RFC 3339, a date, now, now-7d (units s m h d w M y, case matters) or last 7 days",
  });
}

/** Matches the address, or any address in the network. */
export function addressOf(operand: Operand): Leaf {
  const text = stringOf(operand.literal);
  const field = operand.name;
  const value = canonicalIp(text);
  if (value !== null) return { kind: "equal", field, value, fold: false };
  const range = cidrRange(text);
  if (range !== null) return { kind: "cidr", field, ...range };
  throw mismatch(operand, "an IP address or a network such as 192.0.2.0/24");
}

/** Returns "" for other literals; no caller accepts "". */
function stringOf(literal: Literal): string {
  return literal.kind === "string" ? literal.value : "";
}

function mismatch({ literal, name, refusal }: Operand, expected: string, advice?: Advice): Error {
  return refusal(`'${name}' must be ${expected}, not ${printLiteral(literal)}`, advice);
}

function printLiteral(literal: Literal): string {
  if (literal.kind === "string") return `'${clip(literal.value)}'`;
  if (literal.kind === "number") return clip(literal.text);
  return literal.kind === "null" ? "null" : String(literal.value);
}
