import { InvalidArgumentError } from "commander";

/** Reads a text that must not be empty, as the value of an unset variable would be. */
export const readText =
  (expected: string) =>
  (text: string): string => {
    if (text.trim() !== "") return text;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };
