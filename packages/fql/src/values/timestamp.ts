/** `from <= x < to`, both canonical. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Seconds since 1970, and additional nanoseconds. */
interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
}

interface Reading {
  readonly start: Instant;
  /** The smallest unit in the text. */
  readonly unit: Instant;
  /** Whether the text has seconds and a zone, as RFC 3339 requires of an instant. */
  readonly isDateTime: boolean;
  readonly isZoned: boolean;
  readonly digits: number;
}

const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/i;
/** An existing client writes UTC twice. */
const utcTwice = /[+-]00(?::?00)?Z$/i;
/** Maximum number of fraction digits in a filter. */
const mostDigits = 9;
/** The usual format in records, restricted to days that their month has in every year. */
const plainInstant =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const earliest = Date.parse("0000-01-01T00:00:00Z") / 1000;
const latest = Date.parse("9999-12-31T23:59:59Z") / 1000;
// Sorts after every instant of the year 9999. The text of the year 10000 would sort first.
const afterLatest = "9999-12-31T24:00:00.000000000Z";

/**
 * Converts a date-time of RFC 3339, a date, or a time in minutes or seconds without a zone (UTC) to
 * `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ`, where text order is time order. Cuts off further digits. Null for any other text.
 */
export function canonicalTimestamp(text: string): string | null {
  // Fast path for the usual format, because written records contain several timestamps each.
  if (plainInstant.test(text)) return `${text.slice(0, -1)}000000Z`;
  const reading = readTimestamp(text);
  return reading === null ? null : printInstant(reading.start);
}

/**
 * Converts an instant to `YYYY-MM-DDTHH:MM:SS.mmmZ`, the format of records. An instant is a date-time of RFC 3339, with
 * `T` or a blank, and with an offset of hours or of hours and minutes, with or without a colon. Second 60 of the last
 * minute of a UTC day is the next second. Cuts off further digits. Null for any other text.
 */
export function canonicalInstant(text: string): string | null {
  if (plainInstant.test(text)) return text;
  const reading = readTimestamp(text);
  return reading?.isDateTime === true ? `${printInstant(reading.start).slice(0, 23)}Z` : null;
}

/** Whether a timestamp says its offset from UTC. */
export const hasZone = (text: string): boolean => readTimestamp(text)?.isZoned ?? false;

/** The day, minute, second or fraction that a text in a filter denotes; null if it is not a timestamp. */
export function writtenPeriod(text: string): Period | null {
  const reading = readTimestamp(utcTwice.test(text) ? text.slice(0, -1) : text);
  if (reading === null || reading.digits > mostDigits) return null;
  const { start, unit } = reading;
  return { from: printInstant(start), to: printInstant(add(start, unit)) };
}

/** The period from one clock reading to the end of the millisecond of a later one. */
export function clockPeriod(from: Date, to: Date): Period {
  return {
    from: printInstant(instantOf(from)),
    to: printInstant(add(instantOf(to), { seconds: 0, nanoseconds: 1_000_000 })),
  };
}

function readTimestamp(text: string): Reading | null {
  const [, date, minutes, seconds, fraction, zone, sign, zoneHours = "00", zoneMinutes = "00"] =
    pattern.exec(text) ?? [];
  if (date === undefined) return null;
  // JavaScript does not parse a leap second, which is read as the second after :59.
  const isLeap = seconds === "60";
  const local = `${date}T${minutes ?? "00:00"}:${isLeap ? "59" : (seconds ?? "00")}`;
  const clock = Date.parse(`${local}Z`);
  // JavaScript parses 30 February as another day.
  if (Number.isNaN(clock) || new Date(clock).toISOString().slice(0, 19) !== local) return null;
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return null;
  const offset = Number(zoneHours) * 3600 + Number(zoneMinutes) * 60;
  const utc = clock / 1000 - (sign === "-" ? -offset : offset) + (isLeap ? 1 : 0);
  if (utc < earliest || utc > latest || (isLeap && utc % 86_400 !== 0)) return null;
  const isZoned = zone !== undefined;
  return {
    start: { seconds: utc, nanoseconds: Number((fraction ?? "").slice(0, 9).padEnd(9, "0")) },
    unit: unitOf(minutes, seconds, fraction),
    isDateTime: isZoned && seconds !== undefined,
    isZoned,
    digits: fraction?.length ?? 0,
  };
}

function unitOf(minutes?: string, seconds?: string, fraction?: string): Instant {
  if (fraction !== undefined)
    return { seconds: 0, nanoseconds: 10 ** Math.max(0, 9 - fraction.length) };
  if (seconds !== undefined) return { seconds: 1, nanoseconds: 0 };
  return { seconds: minutes === undefined ? 86_400 : 60, nanoseconds: 0 };
}

function instantOf(date: Date): Instant {
  const seconds = Math.floor(date.getTime() / 1000);
  return { seconds, nanoseconds: (date.getTime() - seconds * 1000) * 1_000_000 };
}

function add(left: Instant, right: Instant): Instant {
  const nanoseconds = left.nanoseconds + right.nanoseconds;
  const carry = Math.floor(nanoseconds / 1e9);
  return {
    seconds: left.seconds + right.seconds + carry,
    nanoseconds: nanoseconds - carry * 1e9,
  };
}

function printInstant({ seconds, nanoseconds }: Instant): string {
  if (seconds > latest) return afterLatest;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return `${text}.${String(nanoseconds).padStart(9, "0")}Z`;
}
