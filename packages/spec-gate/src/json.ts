export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The members of an object that are objects; empty for anything else. */
export const objectsOf = (value: Json | undefined): readonly (readonly [string, JsonObject])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, member]) => (isObject(member) ? [[key, member]] : []))
    : [];

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** JSON text with sorted keys: equal values have equal texts. */
export function canonicalText(value: Json | undefined): string {
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value === "bigint") return String(value);
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${members.join(",")}}`;
}

/** A value for messages: JSON, truncated to one short line. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const isWord = typeof value === "string" && value.trim() === value && value !== "";
  const text = isWord ? value : canonicalText(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A text without line breaks, and without characters that control a terminal or the direction. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028-\u202E\u2066-\u2069]+/gu, " ");
