type Bytes = readonly number[];

/** First and last canonical address of a network. */
export interface AddressRange {
  readonly low: string;
  readonly high: string;
}

const decimalByte = /^(?:0|[1-9]\d{0,2})$/;
const hexGroup = /^[0-9a-f]{1,4}$/i;
const maximumLength = "0000:0000:0000:0000:0000:0000:255.255.255.255".length;

/**
 * An IPv4 address as `4:` and 8 hex digits, an IPv6 address as `6:` and 32 hex digits. Text order
 * is address order, and ranges of the two families never overlap. Null for any other text,
 * including zone identifiers and numbers with leading zeros.
 */
export function canonicalIp(text: string): string | null {
  const bytes = readAddress(text);
  return bytes === null ? null : printAddress(bytes);
}

/** The network `address/bits`; host bits are ignored. Null for any other text. */
export function cidrRange(text: string): AddressRange | null {
  const slash = text.indexOf("/");
  if (slash < 0) return null;
  const bytes = readAddress(text.slice(0, slash));
  const bits = readByte(text.slice(slash + 1));
  if (bytes === null || bits === null || bits > bytes.length * 8) return null;
  const hostMask = bytes.map((_, index) => 0xff >> Math.min(8, Math.max(0, bits - index * 8)));
  return {
    low: printAddress(bytes.map((byte, index) => byte & ~(hostMask[index] ?? 0))),
    high: printAddress(bytes.map((byte, index) => byte | (hostMask[index] ?? 0))),
  };
}

function readAddress(text: string): Bytes | null {
  if (text.length > maximumLength) return null;
  return text.includes(":") ? readIpv6(text) : readIpv4(text);
}

function readIpv4(text: string): Bytes | null {
  const bytes = text.split(".").map(readByte);
  return bytes.length === 4 ? allOrNothing(bytes) : null;
}

function readByte(text: string): number | null {
  return decimalByte.test(text) && Number(text) <= 255 ? Number(text) : null;
}

function readIpv6(text: string): Bytes | null {
  const [head, tail, ...more] = text.split("::");
  if (head === undefined || more.length > 0) return null;
  const before = readGroups(head, tail === undefined);
  if (tail === undefined) return before?.length === 16 ? before : null;
  const after = readGroups(tail, true);
  if (before === null || after === null) return null;
  const zeros = 16 - before.length - after.length;
  return zeros < 2 ? null : [...before, ...Array.from({ length: zeros }, () => 0), ...after];
}

/** Groups between colons. The last group of the address may be an IPv4 address. */
function readGroups(text: string, atEnd: boolean): Bytes | null {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes = groups.map((group, index) => {
    if (atEnd && index === groups.length - 1 && group.includes(".")) return readIpv4(group);
    if (!hexGroup.test(group)) return null;
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return allOrNothing(bytes)?.flat() ?? null;
}

function allOrNothing<Part>(parts: readonly (Part | null)[]): readonly Part[] | null {
  const whole = parts.filter((part) => part !== null);
  return whole.length === parts.length ? whole : null;
}

function printAddress(bytes: Bytes): string {
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  return `${bytes.length === 4 ? 4 : 6}:${digits.join("")}`;
}
