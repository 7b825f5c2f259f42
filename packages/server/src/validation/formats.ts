import { canonicalInstant } from "@security-platform/fql";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isMailAddress } from "./mail-address.ts";

type TextCheck = (text: string) => boolean;
type Rule = RegExp | TextCheck;

const isInstant: TextCheck = (text) => canonicalInstant(text) !== null;

/** Formats whose values the server also parses. What is accepted must be readable. */
const readable: Readonly<Record<string, TextCheck>> = {
  email: isMailAddress,
  uri: (text) => URL.canParse(text),
};

/** The formats of JSON Schema (Draft 2020-12 §7.3) and of OpenAPI. Undefined for an unknown one. */
export function formatCheck(name: string): TextCheck | undefined {
  // Accepts more than RFC 3339.
  if (name === "date-time") return isInstant;
  const check = specifiedCheck(name);
  const isReadable = Object.hasOwn(readable, name) ? readable[name] : undefined;
  if (check === undefined || isReadable === undefined) return check;
  return (text) => check(text) && isReadable(text);
}

function specifiedCheck(name: string): TextCheck | undefined {
  const formats = fullFormats as Readonly<Record<string, unknown>>;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined) return undefined;
  if (format === true) return () => true;
  const rule = (isComparable(format) ? format.validate : format) as Rule;
  return typeof rule === "function" ? rule : (text) => rule.test(text);
}

const isComparable = (format: unknown): format is { readonly validate: Rule } =>
  typeof format === "object" && format !== null && "validate" in format;
