import { canonicalInstant } from "@security-platform/fql";
import type { CaseField } from "../kinds/templates.ts";

type FieldType = Pick<CaseField, "data_type">;

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The stored form of a value; null where it does not have the field's data type. */
export function fieldValue({ data_type }: FieldType, text: string): string | null {
  switch (data_type) {
    case "string":
      return text;
    case "number":
      return number.test(text) && Number.isFinite(Number(text)) ? text : null;
    case "boolean":
      return text === "true" || text === "false" ? text : null;
    case "datetime":
      return canonicalInstant(text);
  }
}

/**
 * Why a value is invalid for a field; null if it is valid. Options are compared in their stored
 * form.
 */
export function valueProblem(
  field: FieldType & { readonly options?: readonly { readonly value: string }[] | undefined },
  text: string,
): string | null {
  const value = fieldValue(field, text);
  if (value === null) return `expected ${expectedValue(field)}, not ${quoted(text)}`;
  const options = (field.options ?? []).map((option) => option.value);
  if (options.length === 0 || options.some((option) => fieldValue(field, option) === value)) {
    return null;
  }
  return `expected one of the options ${options.join(", ")}, not ${quoted(text)}`;
}

/** Maximum number of characters of a value that a message repeats. */
const longestQuote = 100;

const quoted = (text: string): string =>
  JSON.stringify(text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text);

const expectedValue = ({ data_type }: FieldType): string =>
  ({
    string: "a text",
    number: "a number such as 12 or -0.5",
    boolean: "true or false",
    datetime: "an RFC 3339 timestamp such as 2026-03-01T12:00:00Z",
  })[data_type];
