import { InvalidArgumentError } from "commander";

/** Reads a text that must not be empty, because an unset variable gives an empty one. */
export const readText =
  (expected: string) =>
  (text: string): string => {
    if (text.trim() !== "") return text;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };
