import type { Problem } from "../../../foundation/errors.ts";

/** A password needs at least one character of each kind. */
const kinds: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /\p{Ll}/u, name: "a lower-case letter" },
  { pattern: /\p{Lu}/u, name: "an upper-case letter" },
  { pattern: /[0-9]/, name: "a digit" },
  { pattern: /[#?!@$ %^&*-]/, name: "one of `#?!@$ %^&*-`" },
];

/** The missing kinds of characters. Schemas check the length. The message never repeats the password. */
export function passwordProblems(password: string | undefined, at: string): readonly Problem[] {
  if (password === undefined) return [];
  const missing = kinds.filter(({ pattern }) => !pattern.test(password));
  if (missing.length === 0) return [];
  return [{ at, message: `also expected ${missing.map(({ name }) => name).join(", ")}` }];
}
