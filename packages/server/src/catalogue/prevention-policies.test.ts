import { servedDocument } from "@security-platform/spec";
import { expect, test } from "vitest";
import { isDefault } from "../domain/prevention-policy/policies.ts";
import { changedValues, shownValues } from "../domain/prevention-policy/settings.ts";
import { defaultPolicies } from "./prevention-policies.ts";
import { settingsOf, type Platform } from "../domain/prevention-policy/setting-definitions.ts";

const tenant = {
  cid: "a".repeat(32),
  name: "A",
  parent_cid: null,
  created_at: "2026-01-02T03:04:05Z",
};
const policies = defaultPolicies.records(tenant, new Date());

test("every platform has its settings, in contiguous categories", () => {
  const counts = Object.entries(settingsOf).map(([platform, settings]) => [
    platform,
    settings.filter(({ type }) => type === "toggle").length,
    settings.filter(({ type }) => type === "mlslider").length,
  ]);
  expect(counts).toEqual([
    ["Windows", 58, 9],
    ["Mac", 23, 4],
    ["Linux", 28, 2],
    ["iOS", 0, 0],
    ["Android", 0, 0],
  ]);
  for (const settings of Object.values(settingsOf)) {
    const runs = settings.filter(
      ({ category }, index) => settings[index - 1]?.category !== category,
    );
    expect(runs).toHaveLength(new Set(settings.map(({ category }) => category)).size);
    expect(new Set(settings.map(({ id }) => id)).size).toBe(settings.length);
  }
});

test("a required setting is another toggle of the same platform", () => {
  for (const settings of Object.values(settingsOf)) {
    const toggles = new Set(settings.filter(({ type }) => type === "toggle").map(({ id }) => id));
    for (const { id, requires } of settings) {
      expect(requires.every((needed) => toggles.has(needed) && needed !== id)).toBe(true);
    }
  }
  const needs = (platform: Platform) =>
    settingsOf[platform].reduce((sum, { requires }) => sum + requires.length, 0);
  expect([needs("Windows"), needs("Mac"), needs("Linux")]).toEqual([19, 4, 3]);
});

test("each platform has one default policy, with valid settings", () => {
  const { enum: platforms } = servedDocument().schemas["PreventionPlatform"] as {
    enum: readonly string[];
  };
  expect(policies.map(({ platform_name }) => platform_name)).toEqual(platforms);
  for (const policy of policies) {
    expect(policy).toMatchObject({ name: "platform_default", enabled: true, groups: [] });
    expect(isDefault(policy)).toBe(true);
    const values = shownValues(policy.prevention_settings);
    const settings = [...values].map(([id, value]) => ({ id, value }));
    const judged = changedValues(policy.platform_name, new Map(), settings, "settings");
    expect(judged).toEqual({ values });
  }
  const on = policies.map(({ prevention_settings }) =>
    [...shownValues(prevention_settings).values()].filter(
      (value) => "enabled" in value && value.enabled,
    ),
  );
  expect(on.map(({ length }) => length > 5)).toEqual([true, true, true, false, false]);
});

test("the same tenant gets the same records, another tenant gets other ones", () => {
  expect(defaultPolicies.records(tenant, new Date(0))).toEqual(policies);
  const others = defaultPolicies.records({ ...tenant, cid: "b".repeat(32) }, new Date());
  const ids = new Set([...policies, ...others].map(({ id }) => id));
  expect(ids.size).toBe(10);
});
