import { InvalidArgumentError } from "commander";

/** Reads a text that must not be empty, which a variable that was forgotten is. */
export const readText =
  (expected: string) =>
  (text: string): string => {
    if (text.trim() !== "") return text;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };
