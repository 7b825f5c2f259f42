import { errorAt } from "./syntax-error.ts";

/** How much filter a caller may send. */
export interface Limits {
  /** Of the text, in UTF-8. */
  readonly bytes: number;
  readonly conditions: number;
  /** In one list. */
  readonly listItems: number;
  /** Distinct, whatever their case. */
  readonly properties: number;
  /** Parentheses inside parentheses. */
  readonly nesting: number;
}

export const defaultLimits: Limits = {
  bytes: 64 * 1024,
  conditions: 1_000,
  listItems: 1_000,
  properties: 20,
  nesting: 32,
};

/** For text this package printed itself: what was built in code is the caller's own business. */
export const noLimits: Limits = {
  bytes: Infinity,
  conditions: Infinity,
  listItems: Infinity,
  properties: Infinity,
  nesting: Infinity,
};

/** Throws an `FqlSyntaxError` for a text of more than `bytes`. */
export function limitLength(text: string, bytes: number): void {
  const longest = text.length * 3;
  if (longest <= bytes) return;
  if (text.length <= bytes && new TextEncoder().encode(text).length <= bytes) return;
  throw errorAt(text, Math.min(text.length, bytes), `the text is longer than ${bytes} bytes`);
}
