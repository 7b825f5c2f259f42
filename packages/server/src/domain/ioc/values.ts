import { SocketAddress } from "node:net";
import { domainToASCII } from "node:url";
import { canonicalIp } from "@security-platform/fql";

/** A value in canonical spelling, or the reason why it is invalid for its type. */
export type ReadValue = { readonly value: string } | { readonly problem: string };

type Reader = (text: string) => ReadValue;

const domainLength = 200;
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

const hash =
  (digits: number, name: string): Reader =>
  (text) =>
    text.length === digits && /^[0-9a-f]+$/i.test(text)
      ? { value: text.toLowerCase() }
      : { problem: `expected ${digits} hex digits for ${name}, got ${described(text)}` };

/** Lower case, without the trailing dot; internationalised names in ASCII form. */
const domain: Reader = (text) => {
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  const ascii = /^[\x20-\x7e]*$/.test(name) ? name.toLowerCase() : domainToASCII(name);
  if (ascii.length === 0 || ascii.length > domainLength) {
    return {
      problem: `expected a domain of 1 to ${domainLength} characters, got ${described(text)}`,
    };
  }
  if (canonicalIp(ascii) !== null) {
    return { problem: `expected a domain, got the address ${ascii}; use type ipv4 or ipv6` };
  }
  if (!ascii.split(".").every((part) => label.test(part))) {
    return { problem: `expected a domain such as bad.example.com, got ${described(text)}` };
  }
  return { value: ascii };
};

const ipv4: Reader = (text) =>
  canonicalIp(text)?.startsWith("4:") === true
    ? { value: text }
    : { problem: `expected an IPv4 address such as 198.51.100.7, got ${described(text)}` };

/** Text in the format of RFC 5952. */
const ipv6: Reader = (text) =>
  canonicalIp(text)?.startsWith("6:") === true
    ? { value: new SocketAddress({ address: text, family: "ipv6" }).address }
    : { problem: `expected an IPv6 address such as 2001:db8::7, got ${described(text)}` };

const readers: Readonly<Record<string, Reader>> = {
  sha256: hash(64, "a SHA-256"),
  md5: hash(32, "an MD5"),
  domain,
  all_subdomains: domain,
  ipv4,
  ipv6,
};

/** The canonical spelling of an indicator's value. Equal values have equal spellings. */
export function readIndicatorValue(type: string, text: string): ReadValue {
  const read = readers[type];
  return read === undefined ? { problem: `unknown indicator type ${type}` } : read(text.trim());
}

const described = (text: string): string =>
  text.length > 80 ? `${text.length} characters` : JSON.stringify(text);
