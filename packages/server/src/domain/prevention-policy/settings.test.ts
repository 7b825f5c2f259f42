import { expect, test } from "vitest";
import type { SettingId, SettingValue } from "./setting-definitions.ts";
import { changedValues, shownSettings, shownValues } from "./settings.ts";

const on = (...ids: readonly SettingId[]) =>
  new Map<SettingId, SettingValue>(ids.map((id) => [id, { enabled: true }]));
const turn = (id: SettingId, enabled: boolean) => ({ id, value: { enabled } });

test("served settings are read as the same values, and all others as off", () => {
  const values = on("NextGenAV");
  const shown = shownValues(shownSettings("Mac", values));
  expect(shown.get("NextGenAV")).toEqual({ enabled: true });
  expect([...shown.values()].filter((value) => "enabled" in value && value.enabled)).toHaveLength(
    1,
  );
  expect(shown.size).toBe(27);
});

test("changes replace single values and keep the others", () => {
  const changed = changedValues("Mac", on("NextGenAV"), [turn("DetectOnWrite", true)], "s");
  expect(changed).toEqual({ values: on("NextGenAV", "DetectOnWrite") });
  expect(changedValues("Mac", on("NextGenAV"), [], "s")).toEqual({ values: on("NextGenAV") });
});

test("only the result is checked, not the order or the place of the changes", () => {
  const both = [turn("QuarantineOnWrite", true), turn("DetectOnWrite", true)];
  expect(changedValues("Mac", on("NextGenAV"), both, "s")).toHaveProperty("values");
  const gone = [turn("DetectOnWrite", false), turn("QuarantineOnWrite", false)];
  const full = on("NextGenAV", "DetectOnWrite", "QuarantineOnWrite");
  expect(changedValues("Mac", full, gone, "s")).toHaveProperty("values");
});

test("turning off a required setting is rejected at its place in the request", () => {
  const full = on("NextGenAV", "DetectOnWrite", "QuarantineOnWrite");
  const changes = [turn("ChopperWebshell", true), turn("NextGenAV", false)];
  expect(changedValues("Mac", full, changes, "s")).toEqual({
    problems: [
      {
        at: "s[1].value",
        message:
          "NextGenAV cannot be off while QuarantineOnWrite is on; turn QuarantineOnWrite off as well",
      },
    ],
  });
});

test("dependencies differ between platforms", () => {
  const change = [turn("ScriptBasedExecutionMonitoring", true)];
  expect(changedValues("Windows", new Map(), change, "s")).toHaveProperty("problems");
  expect(changedValues("Mac", new Map(), change, "s")).toHaveProperty("values");
  const packages = [turn("DetectPackageOnWrite", true)];
  expect(changedValues("Linux", new Map(), packages, "s")).toEqual({
    problems: [
      {
        at: "s[0].value",
        message:
          "DetectPackageOnWrite cannot be on without FilesystemVisibility; turn FilesystemVisibility on as well",
      },
    ],
  });
  expect(changedValues("Windows", new Map(), packages, "s")).toHaveProperty("values");
});

test.each([
  ["EXTRA_AGGRESSIVE", "EXTRA_AGGRESSIVE", true],
  ["EXTRA_AGGRESSIVE", "AGGRESSIVE", true],
  ["CAUTIOUS", "DISABLED", true],
  ["DISABLED", "DISABLED", true],
  ["AGGRESSIVE", "EXTRA_AGGRESSIVE", false],
  ["MODERATE", "AGGRESSIVE", false],
  ["CAUTIOUS", "MODERATE", false],
  ["DISABLED", "CAUTIOUS", false],
] as const)("detection %s, prevention %s", (detection, prevention, allowed) => {
  const inputs = [{ id: "OnSensorMLSlider" as const, value: { detection, prevention } }];
  const changed = changedValues("Linux", new Map(), inputs, "s");
  expect("values" in changed).toBe(allowed);
});
