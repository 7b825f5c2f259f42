import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** IPv6 prefixes of 96 bits that carry an IPv4 address in the last 32 bits. */
const compatible = "::";
const nat64 = "64:ff9b::";

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address. Throws `TypeError`. */
export function networkOf(text: string): Network {
  try {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch {
    throw new TypeError("expected a network such as 10.0.0.0/8 or fd00::/8, or an address");
  }
}

/** Which addresses the server may connect to on behalf of a tenant. */
export class AddressRules {
  readonly #allowed: readonly Network[];

  /** `allowed`: networks of the operator that are not public, as `networkOf` reads them. */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed.map(networkOf);
  }

  /** Whether the operator allows any network. */
  get allowsAny(): boolean {
    return this.#allowed.length > 0;
  }

  /** Whether the operator allows the network of the address. Connections to it need no TLS. */
  isAllowed(text: string): boolean {
    const address = parsed(text);
    return address !== null && this.#includes(address);
  }

  /** Why the server must not connect to an address, such as `a loopback address`; null if it may. */
  refusal(text: string): string | null {
    const address = parsed(text);
    if (address === null) return "not an IP address";
    if (this.#includes(address)) return null;
    return specialUse(address);
  }

  #includes(address: Address): boolean {
    return this.#allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match([network, bits]),
    );
  }
}

/** An IPv4-mapped IPv6 address is the IPv4 address itself: the operating system treats it so. */
function parsed(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

const descriptions: Readonly<Record<string, string>> = {
  loopback: "a loopback address",
  private: "a private address",
  uniqueLocal: "a private address",
  linkLocal: "a link-local address",
  carrierGradeNat: "a shared carrier address",
  multicast: "a multicast address",
  broadcast: "the broadcast address",
  unspecified: "the unspecified address",
};

function specialUse(address: Address): string | null {
  if (address.kind() === "ipv6") {
    const inner = embedded(address as ipaddr.IPv6, nat64);
    if (inner !== null) return specialUse(inner);
    if (embedded(address as ipaddr.IPv6, compatible) !== null && address.range() === "unicast") {
      return "an IPv4-compatible address";
    }
  }
  const range = address.range();
  return range === "unicast" ? null : (descriptions[range] ?? `an address for ${range} use`);
}

function embedded(address: ipaddr.IPv6, prefix: string): ipaddr.IPv4 | null {
  if (!address.match([ipaddr.IPv6.parse(prefix), 96])) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
