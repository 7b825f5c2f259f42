import { InvalidArgumentError } from "commander";

/** Reads the name of a profile to store. */
export function readProfileName(text: string): string {
  if (/^[\w][\w.@-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError(
    "Expected at most 100 letters, digits and _ . - @, of which the first is a letter, a digit or _.",
  );
}
