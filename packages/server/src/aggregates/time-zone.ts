/** The local clock of a zone. Instants and offsets are in milliseconds. */
export interface TimeZone {
  /** The IANA name of the zone, `+hh:mm`, or `UTC`. */
  readonly name: string;
  /** The offset of local time from UTC at an instant. */
  offset(instant: number): number;
}

export const utc: TimeZone = { name: "UTC", offset: () => 0 };

/** A zone by IANA name (in any case) or `+hh:mm`; null for an unknown name. */
export function timeZone(name: string): TimeZone | null {
  if (/^(utc|gmt|z)$/i.test(name)) return utc;
  if (/^[+-]/.test(name)) return fixedZone(name);
  const clock = wallClock(name);
  return clock === null ? null : { name: clock.name, offset: clock.offset };
}

function fixedZone(name: string): TimeZone | null {
  const parts = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/.exec(name);
  if (parts === null) return null;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  const offset = (parts[1] === "-" ? -minutes : minutes) * 60_000;
  return offset === 0 ? utc : { name, offset: () => offset };
}

function wallClock(name: string): TimeZone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return null;
  }
  return {
    name: format.resolvedOptions().timeZone,
    offset: (instant) => {
      const second = Math.floor(instant / 1000) * 1000;
      return wallTime(format.format(second)) - second;
    },
  };
}

/** Reads `3/31/2024 AD, 02:30:00` as if it were UTC. */
function wallTime(text: string): number {
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (
    text.match(/\d+/g) ?? []
  ).map(Number);
  const wall = new Date(0);
  wall.setUTCFullYear(text.includes("BC") ? 1 - year : year, month - 1, day);
  return wall.setUTCHours(hour, minute, second);
}
