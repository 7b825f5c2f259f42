import { expect, test } from "vitest";
import { actionRecord, severities } from "./vocabulary.ts";

test("detect supports every type on every platform of the type", () => {
  expect(actionRecord("detect")).toEqual({
    id: "detect",
    platforms_by_type: {
      sha256: ["windows", "mac", "linux"],
      md5: ["windows", "mac", "linux"],
      domain: ["windows", "mac", "linux", "ios", "android"],
      ipv4: ["windows", "mac", "linux", "ios", "android"],
      ipv6: ["windows", "mac", "linux", "ios", "android"],
      all_subdomains: ["ios", "android"],
    },
    severities: ["informational", "low", "medium", "high", "critical"],
  });
});

test("prevention is for files and mobile devices, and allowing needs no severity", () => {
  const mobile = ["ios", "android"];
  expect(actionRecord("prevent_no_ui").platforms_by_type).toEqual({
    sha256: ["windows", "mac", "linux"],
    md5: ["windows", "mac", "linux"],
    domain: mobile,
    ipv4: mobile,
    ipv6: mobile,
    all_subdomains: mobile,
  });
  expect(actionRecord("prevent").platforms_by_type.domain).toEqual(["ios", "android"]);
  expect(actionRecord("allow").severities).toEqual([]);
  expect(actionRecord("no_action").severities).toEqual([]);
});

test("the empty text is no severity", () => {
  expect(severities).toHaveLength(5);
});
