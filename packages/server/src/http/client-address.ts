import { isIPv4, isIPv6 } from "node:net";

/**
 * The key of an address for limits: an IPv4 address, or the /64 of an IPv6 address, because one customer has
 * at least that range. An IPv4 address mapped to IPv6 counts as IPv4.
 */
export function addressKey(address: string): string {
  const bare = withoutPort(address);
  if (isIPv4(bare)) return bare;
  const [unzoned = ""] = bare.split("%");
  if (!isIPv6(unzoned)) return "unknown";
  const groups = groupsOf(unzoned);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return `${groups.slice(0, 4).map(hexadecimal).join(":")}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ??
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ??
  address;

const hexadecimal = (group: number): string => group.toString(16);

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const first = numbersOf(head);
  if (tail === undefined) return first;
  const last = numbersOf(tail);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

const numbersOf = (text: string): readonly number[] =>
  text === ""
    ? []
    : text.split(":").flatMap((group) => {
        if (!group.includes(".")) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
        return [(a << 8) | b, (c << 8) | d];
      });
