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
}

const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))?)?$/i;
/** The usual format in records, restricted to days that every month has. */
const plainInstant =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const earliest = Date.parse("0000-01-01T00:00:00Z") / 1000;
const latest = Date.parse("9999-12-31T23:59:59Z") / 1000;
// Sorts after every instant of the year 9999. The text of the year 10000 would sort first.
const afterLatest = "9999-12-31T24:00:00.000000000Z";

/**
 * Converts RFC 3339, a date, or a time in minutes or seconds without a zone (UTC) to
 * `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ`, where text order is time order. Null for any other text.
 */
export function canonicalTimestamp(text: string): string | null {
  // Fast path for the usual format, because written records contain several timestamps each.
  if (plainInstant.test(text)) return `${text.slice(0, -1)}000000Z`;
  const reading = readTimestamp(text);
  return reading === null ? null : printInstant(reading.start);
}

/** The day, minute, second or fraction that `text` denotes; null if it is not a timestamp. */
export function writtenPeriod(text: string): Period | null {
  const reading = readTimestamp(text);
  if (reading === null) return null;
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
  const [, date, minutes, seconds, fraction, sign, zoneHours, zoneMinutes] =
    pattern.exec(text) ?? [];
  if (date === undefined) return null;
  const local = `${date}T${minutes ?? "00:00"}:${seconds ?? "00"}`;
  const clock = Date.parse(`${local}Z`);
  // JavaScript parses 30 February as another day, and does not parse a leap second.
  if (Number.isNaN(clock) || new Date(clock).toISOString().slice(0, 19) !== local) return null;
  if (Number(zoneHours ?? 0) > 23 || Number(zoneMinutes ?? 0) > 59) return null;
  const offset = Number(zoneHours ?? 0) * 3600 + Number(zoneMinutes ?? 0) * 60;
  const utc = clock / 1000 - (sign === "-" ? -offset : offset);
  if (utc < earliest || utc > latest) return null;
  return {
    start: { seconds: utc, nanoseconds: Number((fraction ?? "").padEnd(9, "0")) },
    unit: unitOf(minutes, seconds, fraction),
  };
}

function unitOf(minutes?: string, seconds?: string, fraction?: string): Instant {
  if (fraction !== undefined) return { seconds: 0, nanoseconds: 10 ** (9 - fraction.length) };
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
