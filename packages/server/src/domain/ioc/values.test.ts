import { expect, test } from "vitest";
import { readIndicatorValue } from "./values.ts";

const sha256 = "A".repeat(64);

test.each([
  ["sha256", sha256, sha256.toLowerCase()],
  ["md5", `  ${"0F".repeat(16)} `, "0f".repeat(16)],
  ["domain", "Bad.Example.COM", "bad.example.com"],
  ["domain", "bad.example.com.", "bad.example.com"],
  ["domain", "a", "a"],
  ["domain", "_dmarc.example.com", "_dmarc.example.com"],
  ["domain", "bücher.example", "xn--bcher-kva.example"],
  ["all_subdomains", "Example.com", "example.com"],
  ["ipv4", "203.0.113.7", "203.0.113.7"],
  ["ipv6", "2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["ipv6", "1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["ipv6", "1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
])("%s %j has the canonical spelling %j", (type, text, value) => {
  expect(readIndicatorValue(type, text)).toEqual({ value });
});

test.each([
  ["sha256", "a".repeat(63), "64 hex digits"],
  ["sha256", "g".repeat(64), "64 hex digits"],
  ["md5", "a".repeat(33), "32 hex digits"],
  ["domain", "", "1 to 200 characters"],
  ["domain", `${"a.".repeat(100)}aa`, "1 to 200 characters"],
  ["domain", "*.example.com", "expected a domain"],
  ["domain", "https://example.com/", "expected a domain"],
  ["domain", "-a.example", "expected a domain"],
  ["domain", "a..b", "expected a domain"],
  ["domain", "203.0.113.7", "use type ipv4"],
  ["ipv4", "203.0.113.07", "IPv4"],
  ["ipv4", "203.0.113", "IPv4"],
  ["ipv4", "203.0.113.0/24", "IPv4"],
  ["ipv4", "2001:db8::1", "IPv4"],
  ["ipv6", "203.0.113.7", "IPv6"],
  ["ipv6", "fe80::1%eth0", "IPv6"],
  ["ipv6", "2001:db8::1::2", "IPv6"],
])("%s rejects %j", (type, text, reason) => {
  expect(readIndicatorValue(type, text)).toMatchObject({
    problem: expect.stringContaining(reason),
  });
});

test("a domain has at most 200 characters", () => {
  const name = `${`${"a".repeat(49)}.`.repeat(3)}${"b".repeat(50)}`;
  expect(name).toHaveLength(200);
  expect(readIndicatorValue("domain", name)).toEqual({ value: name });
  expect(readIndicatorValue("domain", `${name}c`)).toHaveProperty("problem");
});
