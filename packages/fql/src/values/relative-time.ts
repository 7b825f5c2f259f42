import { clockPeriod, type Period } from "./timestamp.ts";

type Unit = "s" | "m" | "h" | "d" | "w" | "M" | "y";

/** A shift of the clock by `amount` units. `whole`: the period in between, not only the shifted instant. */
interface RelativeTime {
  readonly amount: number;
  readonly unit: Unit;
  readonly whole: boolean;
}

const shifted = /^now(?:([+-]\d{1,11})([smhdwMy]))?$/;
const lasting = /^last (\d{1,11}) (second|minute|hour|day|week|month|year)s?$/;
const units: Readonly<Record<string, Unit>> = {
  second: "s",
  minute: "m",
  hour: "h",
  day: "d",
  week: "w",
  month: "M",
  year: "y",
};
const seconds = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;
const secondsOfYear = 31_622_400;
// Keeps all results within four-digit years for any clock reading.
const maximumYears = 1_000;

/** Whether `text` is a relative time, such as `now`, `now-7d` or `last 7 days`. */
export function isRelativeTime(text: string): boolean {
  return readRelativeTime(text) !== null;
}

/**
 * `now-7d` is the millisecond one week before `now`; `last 7 days` is the time from there to `now`.
 * Months and years are calendar units in UTC: one month before 31 March is the last day of
 * February. Null for any other text, and beyond 1,000 years.
 */
export function relativePeriod(text: string, now: Date): Period | null {
  const time = readRelativeTime(text);
  if (time === null) return null;
  const instant = shift(now, time);
  return clockPeriod(instant, time.whole ? now : instant);
}

function readRelativeTime(text: string): RelativeTime | null {
  const time = readShift(text) ?? readLast(text);
  if (time === null) return null;
  const length = Math.abs(time.amount) * secondsOf(time.unit);
  return length <= maximumYears * secondsOfYear ? time : null;
}

function readShift(text: string): RelativeTime | null {
  const match = shifted.exec(text);
  if (match === null) return null;
  return { amount: Number(match[1] ?? 0), unit: (match[2] ?? "s") as Unit, whole: false };
}

function readLast(text: string): RelativeTime | null {
  const match = lasting.exec(text);
  const unit = units[match?.[2] ?? ""];
  return unit === undefined ? null : { amount: -Number(match?.[1]), unit, whole: true };
}

function secondsOf(unit: Unit): number {
  if (unit === "y") return secondsOfYear;
  return unit === "M" ? secondsOfYear / 12 : seconds[unit];
}

function shift(now: Date, { amount, unit }: RelativeTime): Date {
  if (unit === "M") return shiftMonths(now, amount);
  if (unit === "y") return shiftMonths(now, amount * 12);
  return new Date(now.getTime() + amount * seconds[unit] * 1000);
}

function shiftMonths(now: Date, months: number): Date {
  const result = new Date(now);
  result.setUTCDate(1);
  result.setUTCMonth(result.getUTCMonth() + months);
  const lastDay = new Date(result);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  result.setUTCDate(Math.min(now.getUTCDate(), lastDay.getUTCDate()));
  return result;
}
