import { parse, type IPv4, type IPv6 } from "ipaddr.js";

type Network = readonly [address: IPv4 | IPv6, bits: number];

/** A list of networks. */
export class BlockList {
  readonly #networks: Network[] = [];

  addSubnet(address: string, bits: number): void {
    this.#networks.push([parse(address), bits]);
  }

  check(text: string): boolean {
    const address = parse(text);
    return this.#networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }
}

/** An address in its shortest form. */
export class SocketAddress {
  readonly address: string;

  constructor({ address }: { readonly address: string }) {
    const parsed = parse(address);
    this.address =
      parsed.kind() === "ipv6" && (parsed as IPv6).isIPv4MappedAddress()
        ? `::ffff:${(parsed as IPv6).toIPv4Address().toString()}`
        : ((parsed as IPv6).toRFC5952String?.() ?? parsed.toString());
  }
}
