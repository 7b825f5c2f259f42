import { isIP } from "node:net";
import { InvalidArgumentError } from "commander";

const longest = 253;

/** Reads an address to listen on: an IP address, or a name such as `localhost`. */
export function readAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  const isName = /^[a-z0-9_][a-z0-9_.-]*$/i.test(text) && text.length <= longest;
  // A name of digits and dots alone is an IP address with a mistake.
  if (isName && /[a-z]/i.test(text)) return text;
  throw new InvalidArgumentError(
    "Expected an address such as 127.0.0.1, ::1 or localhost, without a scheme, brackets or a port.",
  );
}
