import { InvalidArgumentError } from "commander";
import { printable } from "../terminal/printable.ts";

const longest = 200;

/** Reads the name of a tenant or a client: visible characters on one line. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === "") throw new InvalidArgumentError("A name needs at least one character.");
  if (name.length > longest) {
    throw new InvalidArgumentError(`A name has at most ${longest} characters, not ${name.length}.`);
  }
  if (printable(name) !== name) {
    throw new InvalidArgumentError("A name is a single line without control characters.");
  }
  return name;
}
