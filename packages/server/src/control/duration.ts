import { nearest } from "@security-platform/fql";

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Accepted spellings of units beside the usual ones. */
const spellings: Readonly<Record<string, string>> = {
  millisecond: "ms",
  milliseconds: "ms",
  sec: "s",
  second: "s",
  seconds: "s",
  m: "min",
  minute: "min",
  minutes: "min",
  hour: "h",
  hours: "h",
  day: "d",
  days: "d",
  week: "w",
  weeks: "w",
};

const longest = 100 * 365 * 86_400_000;

/**
 * Milliseconds of a duration: a number of milliseconds, or a text such as `90 s`, `3 h` or `1 d 12 h`. Throws
 * `RangeError` for anything else, and for more than 100 years.
 */
export function readDuration(duration: number | string): number {
  const milliseconds = typeof duration === "number" ? duration : sumOf(duration);
  if (Number.isFinite(milliseconds) && milliseconds >= 0 && milliseconds <= longest) {
    return Math.round(milliseconds);
  }
  throw new RangeError(`duration: expected 0 to 100 years, got ${duration}`);
}

function sumOf(given: unknown): number {
  const text = typeof given === "string" ? given : String(given);
  const parts = [...text.matchAll(/\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*/giy)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  if (parts.length === 0 || length < text.length) {
    throw new RangeError(`duration: expected a text such as 90 s, 3 h or 1 d 12 h, got "${text}"`);
  }
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * lengthOf(unit), 0);
}

function lengthOf(text: string): number {
  const name = text.toLowerCase();
  const length = units[spellings[name] ?? name];
  if (length !== undefined) return length;
  const near = nearest(name, [...Object.keys(units), ...Object.keys(spellings)]);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new RangeError(
    `duration: unknown unit ${text}${hint || "."} Expected ${Object.keys(units).join(", ")}.`,
  );
}
