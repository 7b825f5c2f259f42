import { errorAt } from "./syntax-error.ts";

/** Limits on the size of a filter. */
export interface Limits {
  /** Size of the text in UTF-8 bytes. */
  readonly bytes: number;
  /**
   * Conditions of a filter. A list of values is one condition, and so are alternatives that follow one another
   * and each name a value of one field, such as `name:'a',name:'b'`.
   */
  readonly conditions: number;
  /** Values in one list. */
  readonly listItems: number;
  /** Distinct fields, ignoring case. */
  readonly properties: number;
  /** Depth of nested parentheses. */
  readonly nesting: number;
}

export const defaultLimits: Limits = {
  bytes: 64 * 1024,
  conditions: 200,
  listItems: 1_000,
  properties: 20,
  nesting: 32,
};

/** No limits, for filters that are built in code and printed by this package. */
export const noLimits: Limits = {
  bytes: Infinity,
  conditions: Infinity,
  listItems: Infinity,
  properties: Infinity,
  nesting: Infinity,
};

/** Throws an `FqlSyntaxError` for a text longer than `bytes`. */
export function limitLength(text: string, bytes: number): void {
  const longest = text.length * 3;
  if (longest <= bytes) return;
  if (text.length <= bytes && new TextEncoder().encode(text).length <= bytes) return;
  throw errorAt(text, Math.min(text.length, bytes), `the text is longer than ${bytes} bytes`);
}
