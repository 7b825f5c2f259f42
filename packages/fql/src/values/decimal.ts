const decimal = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Whether the text is a number in the FQL grammar. */
export function isDecimal(text: string): boolean {
  return decimal.test(text);
}

/**
 * The shortest digits that parse back to `value`, without an exponent, because FQL has none. Throws
 * a `RangeError` for NaN and infinities.
 */
export function printDecimal(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`FQL cannot express the number ${value}`);
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const shift = Number(exponent);
  const digits = whole + fraction;
  const sign = value < 0 ? "-" : "";
  if (shift < 0) return `${sign}0.${"0".repeat(-shift - 1)}${digits}`;
  return sign + digits.padEnd(shift + 1, "0");
}
