import { describe, expect, test } from "vitest";
import { effectiveActions, ruleProblems, type Draft } from "./rules.ts";

const hash: Draft = {
  type: "sha256",
  platforms: ["windows"],
  action: "prevent",
  mobile_action: undefined,
  severity: "high",
  applied_globally: true,
  host_groups: [],
};
const places = (draft: Partial<Draft>): readonly string[] =>
  ruleProblems({ ...hash, ...draft }, "body.indicators[3]").map(({ at }) =>
    at.replace("body.indicators[3].", ""),
  );

test("a valid draft has no problems", () => {
  expect(ruleProblems(hash, "body")).toEqual([]);
});

describe("platforms", () => {
  test.each([
    ["sha256", ["windows", "mac", "linux"], ["ios", "android"]],
    ["md5", ["windows", "mac", "linux"], ["ios", "android"]],
    ["all_subdomains", ["ios", "android"], ["windows", "mac", "linux"]],
    ["domain", ["windows", "mac", "linux", "ios", "android"], []],
    ["ipv4", ["windows", "mac", "linux", "ios", "android"], []],
    ["ipv6", ["windows", "mac", "linux", "ios", "android"], []],
  ] as const)("%s is for %j and not for %j", (type, possible, impossible) => {
    const draft = { type, action: "detect", mobile_action: "detect" } as const;
    for (const platform of possible)
      expect(places({ ...draft, platforms: [platform] })).toEqual([]);
    for (const platform of impossible) {
      expect(places({ ...draft, platforms: [platform] })).toEqual(["platforms[0]"]);
    }
  });
});

describe("actions", () => {
  test("an action for one of the indicator's platforms is required", () => {
    const both = ["windows", "ios"] as const;
    const domain = { type: "domain", action: undefined } as const;
    expect(places({ ...domain, platforms: ["windows"] })).toEqual(["action"]);
    expect(places({ ...domain, platforms: ["ios"] })).toEqual(["mobile_action"]);
    expect(places({ ...domain, platforms: [...both] })).toEqual(["action", "mobile_action"]);
  });

  test.each(["domain", "ipv4", "ipv6"] as const)("%s only detects on desktops", (type) => {
    for (const action of ["allow", "prevent", "prevent_no_ui"] as const) {
      expect(places({ type, action })).toEqual(["action"]);
    }
    for (const action of ["detect", "no_action"] as const) {
      expect(places({ type, action })).toEqual([]);
    }
    const mobile = { type, platforms: ["ios" as const], mobile_action: "prevent" as const };
    expect(places({ ...mobile, action: "prevent" })).toEqual([]);
  });

  test("an action for none of the platforms is stored as no_action", () => {
    const chosen = { action: "detect", mobile_action: "prevent" } as const;
    expect(effectiveActions({ ...chosen, platforms: ["windows"] })).toEqual({
      action: "detect",
      mobile_action: "no_action",
    });
    expect(effectiveActions({ ...chosen, platforms: ["android"] })).toEqual({
      action: "no_action",
      mobile_action: "prevent",
    });
    expect(effectiveActions({ ...chosen, platforms: ["mac", "ios"] })).toEqual(chosen);
  });
});

describe("severity", () => {
  test.each(["detect", "prevent", "prevent_no_ui"] as const)("%s requires one", (action) => {
    expect(places({ action, severity: "" })).toEqual(["severity"]);
  });

  test.each(["allow", "no_action"] as const)("%s requires none", (action) => {
    expect(places({ action, severity: "" })).toEqual([]);
  });

  test("an action that does not apply requires none", () => {
    const mobile = { type: "domain", platforms: ["ios"], mobile_action: "allow" } as const;
    expect(places({ ...mobile, platforms: ["ios"], action: "detect", severity: "" })).toEqual([]);
  });

  test("the message is the one that existing clients know", () => {
    expect(ruleProblems({ ...hash, severity: "" }, "body")[0]?.message).toContain(
      "cannot be empty for this 'action' and 'mobile_action' combination",
    );
  });
});

test("exactly one of host groups and applied_globally is required", () => {
  const group = "7d0c4a9be1f24c36a58b9d1e2f304152";
  expect(places({ applied_globally: false, host_groups: [group] })).toEqual([]);
  expect(places({ applied_globally: true, host_groups: [group] })).toEqual(["host_groups"]);
  expect(places({ applied_globally: false, host_groups: [] })).toEqual(["host_groups"]);
});

test("all problems are reported at once", () => {
  const draft = {
    platforms: ["windows", "ios"],
    action: undefined,
    applied_globally: false,
  } as const;
  expect(places({ ...draft, platforms: [...draft.platforms] })).toEqual([
    "platforms[1]",
    "action",
    "mobile_action",
    "host_groups",
  ]);
});
