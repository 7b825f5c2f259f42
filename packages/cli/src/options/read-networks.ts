import { isIP } from "node:net";
import { InvalidArgumentError } from "commander";

/** Reads addresses and networks such as `10.0.0.0/8,::1`; repeated options are combined. */
export function readNetworks(text: string, before: readonly string[] = []): readonly string[] {
  const networks = text.split(",").map((part) => part.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong === undefined) return [...before, ...networks];
  throw new InvalidArgumentError(
    `${wrong.includes("@") ? "This" : `"${wrong}"`} is not an address or network such as 192.0.2.7, 10.0.0.0/8 or fd00::/8.`,
  );
}

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
