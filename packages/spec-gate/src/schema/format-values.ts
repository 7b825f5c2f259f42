import { fullFormats, type FormatName } from "ajv-formats/dist/formats.js";

/** Longer texts are not checked: some expressions of formats take long. */
const longest = 200;

/** Whether a text is of a format; undefined if the format is not known. */
export function isOfFormat(format: string, text: string): boolean | undefined {
  const known: unknown = Object.hasOwn(fullFormats, format)
    ? fullFormats[format as FormatName]
    : undefined;
  if (text.length > longest || known === undefined) return undefined;
  if (typeof known === "boolean") return known;
  if (known instanceof RegExp) return known.test(text);
  if (typeof known === "function") return (known as (value: string) => boolean)(text);
  const { validate } = known as { readonly validate?: unknown };
  if (validate instanceof RegExp) return validate.test(text);
  return typeof validate === "function"
    ? (validate as (value: string) => boolean)(text)
    : undefined;
}

/** Texts of common formats; several formats may allow one of them. */
export const textsOfFormats: readonly string[] = [
  "2000-01-01",
  "2000-01-01T00:00:00Z",
  "00:00:00Z",
  "P1D",
  "a@example.com",
  "example.com",
  "192.0.2.1",
  "2001:db8::1",
  "https://example.com/a",
  "/a",
  "00000000-0000-4000-8000-000000000000",
  "YWJj",
];
