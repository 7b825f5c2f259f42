import ipaddr from "ipaddr.js";

/**
 * The key of an address for limits: an IPv4 address, or the /64 of an IPv6 address, because one customer has
 * at least that range. An IPv4 address mapped to IPv6 counts as IPv4.
 */
export function addressKey(address: string): string {
  const bare = withoutPort(address);
  if (!ipaddr.isValid(bare)) return "unknown";
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** The address without a port, which some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ??
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ??
  address;
