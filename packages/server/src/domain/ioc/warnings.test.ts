import { expect, test } from "vitest";
import { expirationWarnings, valueWarnings } from "./warnings.ts";

const warnings = (
  type: "ipv4" | "ipv6" | "md5" | "sha256" | "domain" | "all_subdomains",
  value: string,
) => valueWarnings({ type, value }, "body.indicators[0]");

test.each([
  ["ipv4", "10.0.0.1", "private"],
  ["ipv4", "172.31.255.255", "private"],
  ["ipv4", "192.168.1.1", "private"],
  ["ipv4", "127.0.0.1", "loopback"],
  ["ipv4", "169.254.1.1", "link-local"],
  ["ipv4", "224.0.0.1", "multicast"],
  ["ipv4", "255.255.255.255", "reserved"],
  ["ipv6", "::1", "loopback"],
  ["ipv6", "::", "unspecified"],
  ["ipv6", "fd00::1", "private"],
  ["ipv6", "fe80::1", "link-local"],
  ["ipv6", "::ffff:10.0.0.1", "private"],
  ["md5", "d41d8cd98f00b204e9800998ecf8427e", "known-good"],
  ["sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "known-good"],
  ["domain", "www.wikipedia.org", "known-good"],
  ["all_subdomains", "github.com", "known-good"],
] as const)("%s %s causes a warning: %s", (type, value, reason) => {
  expect(warnings(type, value)).toEqual([
    { at: "body.indicators[0].value", message: expect.stringContaining(reason) },
  ]);
});

test.each([
  ["ipv4", "203.0.113.7"],
  ["ipv4", "172.32.0.1"],
  ["ipv6", "2001:db8::1"],
  ["domain", "gist.github.com"],
  ["domain", "constructor"],
  ["md5", "e".repeat(32)],
] as const)("%s %s causes none", (type, value) => {
  expect(warnings(type, value)).toEqual([]);
});

test("an expiration in less than an hour causes one", () => {
  const now = new Date("2026-03-01T12:00:00.000Z");
  const at = (expiration: string) => expirationWarnings({ expiration }, now, "body");
  expect(at("2026-03-01T12:59:59.999Z")).toHaveLength(1);
  expect(at("2026-03-01T13:00:00.000Z")).toEqual([]);
  expect(expirationWarnings({}, now, "body")).toEqual([]);
});
