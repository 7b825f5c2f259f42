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
export function numericOf(text: string): Numeric {
  const plain = /^\s*\+?(-?\d{16,})(?:\.0*)?\s*$/.exec(text)?.[1];
  if (plain !== undefined) return normal(BigInt(plain));
  const double = Number(text);
  // Doubles beyond are limits such as the largest one, which are not meant to the last digit.
  if (!Number.isInteger(double) || Number.isSafeInteger(double) || Math.abs(double) > 1e22) {
    return double;
  }
  const exact = decimalOf(text.trim());
  return exact === undefined || exact.scale > 0 ? double : normal(exact.units);
}

/** A decimal number: `units` divided by 10 as often as `scale` says. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** More digits than those of any number that a document means. */
const mostDigits = 400;

function decimalOf(text: string): Decimal | undefined {
  if (text.length > mostDigits) return undefined;
  const [mantissa = "", exponent = "0", ...more] = text.split(/[eE]/);
  const sign = /^[-+]/.test(mantissa) ? mantissa.slice(0, 1) : "";
  const [whole = "", rest = "", ...others] = mantissa.slice(sign.length).split(".");
  const isNumber =
    more.length === 0 &&
    others.length === 0 &&
    /^\d*$/.test(whole + rest) &&
    /^[-+]?\d+$/.test(exponent);
  const places = withoutZerosAtEnd(rest);
  if (!isNumber || whole + places === "" || Math.abs(Number(exponent)) > mostDigits) {
    return undefined;
  }
  const digits = BigInt(`${whole}${places}`) * (sign === "-" ? -1n : 1n);
  const scale = places.length - Number(exponent);
  if (scale <= 0) return { units: digits * 10n ** BigInt(-scale), scale: 0 };
  const divisor = greatestDivisor(digits, 10n ** BigInt(scale));
  return divisor === 10n ** BigInt(scale)
    ? { units: digits / divisor, scale: 0 }
    : { units: digits, scale };
}

function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

const greatestDivisor = (left: bigint, right: bigint): bigint => {
  let [a, b] = [left < 0n ? -left : left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
};

/** Numbers as whole multiples of one power of ten. */
function scaled(
  values: readonly Numeric[],
): { units: readonly bigint[]; power: bigint } | undefined {
  const decimals = values.map((value) => decimalOf(String(value)));
  const known = decimals.filter((each) => each !== undefined);
  if (known.length < decimals.length) return undefined;
  const scale = Math.max(0, ...known.map((each) => each.scale));
  return {
    units: known.map((each) => each.units * 10n ** BigInt(scale - each.scale)),
    power: 10n ** BigInt(scale),
  };
}

const quotient = (units: bigint, power: bigint): Numeric => {
  if (units % power === 0n) return normal(units / power);
  const digits = String(units < 0n ? -units : units).padStart(String(power).length, "0");
  const point = digits.length - String(power).length + 1;
  return Number(`${units < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`);
};

/** The step of the numbers that are multiples of all steps; undefined if it is not exact. */
export function commonStep(steps: readonly number[]): number | undefined {
  const { units, power } = scaled(steps) ?? { units: [], power: 1n };
  if (units.length === 0 || units.some((each) => each <= 0n)) return undefined;
  const common = units.reduce((left, right) => (left / greatestDivisor(left, right)) * right);
  return common > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(quotient(common, power));
}

/** The nearest multiple of a step from a limit on: upwards, or downwards if `sign` is -1. */
export function nextMultiple(
  limit: Numeric,
  step: number,
  sign: 1 | -1,
  isExcluded: boolean,
): Numeric | undefined {
  const { units, power } = scaled([limit, step]) ?? { units: [], power: 1n };
  const [own = 0n, each = 0n] = units;
  if (each <= 0n) return undefined;
  const direction = BigInt(sign);
  // BigInt division rounds towards zero.
  let count = own / each;
  if ((own - count * each) * direction > 0n) count += direction;
  if (isExcluded && count * each === own) count += direction;
  return quotient(count * each, power);
}

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
