import { InvalidArgumentError } from "commander";

/** Reads an integer option of at least `minimum`. */
export const readInteger =
  (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(
      maximum === Number.MAX_SAFE_INTEGER
        ? `Expected an integer of at least ${minimum}.`
        : `Expected an integer from ${minimum} to ${maximum}.`,
    );
  };
