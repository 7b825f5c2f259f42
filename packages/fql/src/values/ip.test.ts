import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../arbitraries/runs.ts";
import { canonicalIp, cidrRange } from "./ip.ts";

const zeros = (digits: number) => "0".repeat(digits);

const size = (text: string) => text.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0);

describe("canonicalIp", () => {
  test.each([
    ["192.0.2.1", "4:c0000201"],
    ["0.0.0.0", "4:00000000"],
    ["255.255.255.255", "4:ffffffff"],
    ["::", `6:${zeros(32)}`],
    ["::1", `6:${zeros(31)}1`],
    ["1::", `6:0001${zeros(28)}`],
    ["2001:DB8::a:0:1", `6:20010db8${zeros(12)}000a00000001`],
    ["2001:db8:0:0:0:a:0:1", `6:20010db8${zeros(12)}000a00000001`],
    ["1:2:3:4:5:6:7:8", "6:00010002000300040005000600070008"],
    ["1:2:3:4:5:6:7::", "6:00010002000300040005000600070000"],
    ["::ffff:192.0.2.1", `6:${zeros(20)}ffffc0000201`],
    ["1:2:3:4:5:6:192.0.2.1", "6:000100020003000400050006c0000201"],
  ])("reads %s", (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
  });

  test.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "1.2.3.04",
    "1.2.3.-4",
    "1.2.3.4 ",
    "0x1.2.3.4",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    "12345::",
    "::g",
    "::1%eth0",
    "1.2.3.4::",
    "::1.2.3.4:5",
    "::1.2.3",
    ":1",
    "1:",
    "::1/128",
    "a".repeat(10_000),
  ])("rejects %j", (text) => {
    expect(canonicalIp(text)).toBeNull();
  });

  test("returns texts whose order is the order of addresses", () => {
    const address = fc.ipV4();
    fc.assert(
      fc.property(address, address, (left, right) => {
        const [first, second] = [canonicalIp(left) ?? "", canonicalIp(right) ?? ""];
        expect(first < second).toBe(size(left) < size(right));
      }),
      { numRuns: runs() },
    );
  });

  test("reads every notation of an IPv6 address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        expect(canonicalIp(text)).toMatch(/^6:[0-9a-f]{32}$/);
      }),
      { numRuns: runs() },
    );
  });
});

describe("cidrRange", () => {
  test.each([
    ["192.0.2.0/24", "4:c0000200", "4:c00002ff"],
    ["192.0.2.77/24", "4:c0000200", "4:c00002ff"],
    ["192.0.2.77/27", "4:c0000240", "4:c000025f"],
    ["192.0.2.1/32", "4:c0000201", "4:c0000201"],
    ["1.2.3.4/0", "4:00000000", "4:ffffffff"],
    ["2001:db8::/33", `6:20010db8${zeros(24)}`, `6:20010db87fff${"f".repeat(20)}`],
    ["::/0", `6:${zeros(32)}`, `6:${"f".repeat(32)}`],
    ["::1/128", `6:${zeros(31)}1`, `6:${zeros(31)}1`],
  ])("reads %s", (text, low, high) => {
    expect(cidrRange(text)).toEqual({ low, high });
  });

  test.each([
    "",
    "/",
    "192.0.2.0",
    "192.0.2.0/",
    "192.0.2.0/33",
    "192.0.2.0/024",
    "::/129",
    "::/-1",
    "192.0.2.0/24/8",
    "/24",
    "192.0.2/24",
    "example.com/24",
    "1::2::3/64",
  ])("rejects %j", (text) => {
    expect(cidrRange(text)).toBeNull();
  });

  test("separates IPv4 and IPv6", () => {
    const { low, high } = cidrRange("0.0.0.0/0") ?? { low: "", high: "" };
    const mapped = canonicalIp("::ffff:10.0.0.1") ?? "";
    expect(mapped >= low && mapped <= high).toBe(false);
  });
});
