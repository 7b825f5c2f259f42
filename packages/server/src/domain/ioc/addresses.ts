import { BlockList } from "node:net";

/**
 * Networks whose addresses are not globally unique. Documentation networks are left out, because examples
 * and tests use them.
 */
const special: readonly (readonly [string, string])[] = [
  ["0.0.0.0/8", "an address of this network"],
  ["10.0.0.0/8", "a private address"],
  ["100.64.0.0/10", "a shared carrier address"],
  ["127.0.0.0/8", "a loopback address"],
  ["169.254.0.0/16", "a link-local address"],
  ["172.16.0.0/12", "a private address"],
  ["192.168.0.0/16", "a private address"],
  ["198.18.0.0/15", "a benchmarking address"],
  ["224.0.0.0/4", "a multicast address"],
  ["240.0.0.0/4", "a reserved address"],
  ["::/128", "the unspecified address"],
  ["::1/128", "a loopback address"],
  ["fc00::/7", "a private address"],
  ["fe80::/10", "a link-local address"],
  ["ff00::/8", "a multicast address"],
];

const families = { ipv4: networksOf("ipv4"), ipv6: networksOf("ipv6") };

function networksOf(family: "ipv4" | "ipv6") {
  return special
    .filter(([network]) => network.includes(":") === (family === "ipv6"))
    .map(([network, description]) => {
      const [address = "", bits] = network.split("/");
      const list = new BlockList();
      list.addSubnet(address, Number(bits), family);
      return { list, network, description };
    });
}

/** The reason why an address is not globally unique, with its network; null for an ordinary address. */
export function specialAddress(family: "ipv4" | "ipv6", address: string): string | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped !== undefined) return specialAddress("ipv4", mapped);
  const network = families[family].find(({ list }) => list.check(address, family));
  return network === undefined ? null : `${network.description} (${network.network})`;
}
