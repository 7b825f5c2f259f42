import { fullFormats } from "ajv-formats/dist/formats.js";

type TextCheck = (text: string) => boolean;
type Rule = RegExp | TextCheck;

/** The formats of JSON Schema (Draft 2020-12 §7.3) and of OpenAPI. Undefined for an unknown one. */
export function formatCheck(name: string): TextCheck | undefined {
  const formats = fullFormats as Readonly<Record<string, unknown>>;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined) return undefined;
  if (format === true) return () => true;
  const rule = (isComparable(format) ? format.validate : format) as Rule;
  return typeof rule === "function" ? rule : (text) => rule.test(text);
}

const isComparable = (format: unknown): format is { readonly validate: Rule } =>
  typeof format === "object" && format !== null && "validate" in format;
