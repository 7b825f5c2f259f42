/**
 * Zones with unusual clock changes: half hours, changes at midnight, a skipped day, two half-hour changes.
 */
export const zoneNames = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Beirut",
  "Africa/Casablanca",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "+05:45",
  "-11:00",
] as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2024-03-31 02:30` on the local clock, taken directly from the runtime. */
export function wallText(instant: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  formats.set(zone, format);
  return format.format(instant);
}

/** `GMT+02:00`, the offset at the instant. */
export function offsetText(instant: number, zone: string): string {
  return new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
    .format(instant)
    .replace(/^.*, /, "");
}
