/** A number of JSON. Integers that a double cannot hold exactly are of the type bigint. */
export type Numeric = number | bigint;

export const isNumeric = (value: unknown): value is Numeric =>
  typeof value === "number" || typeof value === "bigint";

export const isInteger = (value: Numeric): boolean =>
  typeof value === "bigint" || Number.isInteger(value);

/** An integer in its only form. */
const normal = (value: bigint): Numeric => {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
};

/** The exact number that a text is; NaN if it is none. */
export const numericOf = (text: string): Numeric =>
  /^\s*[-+]?\d{16,}\s*$/.test(text) ? normal(BigInt(text.trim().replace(/^\+/, ""))) : Number(text);

/** Below 0 if the first number is the smaller one. JavaScript compares both types exactly. */
export const order = (left: Numeric, right: Numeric): number =>
  left < right ? -1 : left > right ? 1 : 0;

/** An integer that is larger by some steps. */
export const plus = (value: Numeric, steps: number): Numeric =>
  typeof value === "number" && Math.abs(value) + Math.abs(steps) <= Number.MAX_SAFE_INTEGER
    ? value + steps
    : isInteger(value) && Number.isFinite(Number(value))
      ? normal(BigInt(value) + BigInt(steps))
      : Number(value) + steps;

/** How many integers there are from one to another. */
export const countOf = (least: Numeric, largest: Numeric): number =>
  isInteger(least) && isInteger(largest)
    ? Number(BigInt(largest) - BigInt(least)) + 1
    : Number(largest) - Number(least) + 1;
