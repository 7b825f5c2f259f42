import { expect, test } from "vitest";
import { AddressRules, networkOf } from "./addresses.ts";

const none = new AddressRules([]);

test.each([
  ["127.0.0.1", "a loopback address"],
  ["127.255.255.254", "a loopback address"],
  ["0.0.0.0", "the unspecified address"],
  ["10.1.2.3", "a private address"],
  ["172.16.0.1", "a private address"],
  ["192.168.1.1", "a private address"],
  ["169.254.169.254", "a link-local address"],
  ["100.64.0.1", "a shared carrier address"],
  ["224.0.0.1", "a multicast address"],
  ["255.255.255.255", "the broadcast address"],
  ["240.0.0.1", "an address for reserved use"],
  ["198.18.0.1", "an address for reserved use"],
  ["::", "the unspecified address"],
  ["::1", "a loopback address"],
  ["fe80::1", "a link-local address"],
  ["fe80::1%eth0", "a link-local address"],
  ["fd00:ec2::254", "a private address"],
  ["ff02::1", "a multicast address"],
  ["::ffff:169.254.169.254", "a link-local address"],
  ["::ffff:a9fe:a9fe", "a link-local address"],
  ["::7f00:1", "an IPv4-compatible address"],
  ["::808:808", "an IPv4-compatible address"],
  ["64:ff9b::7f00:1", "a loopback address"],
  ["64:ff9b::a9fe:a9fe", "a link-local address"],
  ["64:ff9b:1::808:808", "an address for rfc6052 use"],
  ["2002:7f00:1::", "an address for 6to4 use"],
  ["2001:0:7f00:1::", "an address for teredo use"],
  ["localhost", "not an IP address"],
  ["", "not an IP address"],
])("rejects %s, %s", (address, reason) => {
  expect(none.refusal(address)).toBe(reason);
});

test.each(["1.1.1.1", "203.1.113.5", "::ffff:1.1.1.1", "2606:4700::1111", "64:ff9b::101:101"])(
  "accepts %s",
  (address) => {
    expect(none.refusal(address)).toBeNull();
  },
);

test("the operator can allow networks, in any spelling of an address", () => {
  const rules = new AddressRules(["127.0.0.0/8", "fd00::/8", "169.254.169.254"]);
  for (const address of ["127.0.0.1", "::ffff:127.9.9.9", "fd00::1", "169.254.169.254"]) {
    expect([address, rules.refusal(address), rules.isAllowed(address)]).toEqual([
      address,
      null,
      true,
    ]);
  }
  expect(rules.refusal("169.254.169.253")).toBe("a link-local address");
  expect(rules.refusal("::1")).toBe("a loopback address");
  expect(rules.refusal("64:ff9b::7f00:1")).toBe("a loopback address");
  expect(rules.isAllowed("1.1.1.1")).toBe(false);
});

test.each(["", "10.0.0.0/33", "10.0.0/8/8", "localhost", "fd00::/129"])(
  "rejects the network %j",
  (text) => {
    expect(() => networkOf(text)).toThrow("expected a network such as 10.0.0.0/8");
  },
);
