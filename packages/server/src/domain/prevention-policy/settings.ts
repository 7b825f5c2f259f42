import { nearest } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import {
  settingsOf,
  type Platform,
  type Setting,
  type SettingId,
  type SettingValue,
} from "./setting-definitions.ts";
import type { Problem } from "../../foundation/errors.ts";

type Schemas = components["schemas"];
type SettingInput = Schemas["PreventionSettingInput"];
type SliderValue = Schemas["PreventionSliderValue"];
type Level = Schemas["PreventionSliderLevel"];

/** The values of a policy's settings. An absent setting is off. */
export type SettingValues = ReadonlyMap<SettingId, SettingValue>;

const levels: readonly Level[] = [
  "DISABLED",
  "CAUTIOUS",
  "MODERATE",
  "AGGRESSIVE",
  "EXTRA_AGGRESSIVE",
];

/** The values of the settings of a served policy. */
export const shownValues = (categories: readonly Schemas["PreventionSettingCategory"][]) =>
  new Map(
    categories.flatMap(({ settings }) => settings.map(({ id, value }) => [id, value] as const)),
  );

/** All settings of the platform with their values, by category, as in a served policy. */
export function shownSettings(
  platform: Platform,
  values: SettingValues,
): Schemas["PreventionSettingCategory"][] {
  const byCategory = Map.groupBy(settingsOf[platform], ({ category }) => category);
  return [...byCategory].map(([name, settings]) => ({
    name,
    settings: settings.map((setting) => ({
      id: setting.id,
      name: setting.name,
      type: setting.type,
      description: setting.description,
      value: values.get(setting.id) ?? off(setting),
    })),
  }));
}

function off({ type, detectionOnly }: Setting): SettingValue {
  if (type === "toggle") return { enabled: false };
  return detectionOnly
    ? { detection: "DISABLED" }
    : { detection: "DISABLED", prevention: "DISABLED" };
}

/**
 * Applies changes to the values, or returns every problem of the changes and of the result. `at`: the place
 * of the changes in the request.
 */
export function changedValues(
  platform: Platform,
  before: SettingValues,
  inputs: readonly SettingInput[],
  at: string,
): { readonly values: SettingValues } | { readonly problems: readonly Problem[] } {
  const values = new Map(before);
  const places = new Map<SettingId, string>();
  const problems: Problem[] = [];
  for (const [index, { id, value }] of inputs.entries()) {
    const place = `${at}[${index}]`;
    const setting = settingsOf[platform].find((each) => each.id === id);
    const earlier = places.get(id);
    if (setting === undefined) {
      problems.push({ at: `${place}.id`, message: unknownSetting(platform, id) });
    } else if (earlier !== undefined) {
      problems.push({
        at: `${place}.id`,
        message: `${id} is already in the list, as ${earlier}; send it once`,
      });
    } else {
      places.set(id, place);
      const read = readValue(setting, value);
      if ("problem" in read) problems.push({ at: `${place}.value`, message: read.problem });
      else values.set(id, read.value);
    }
  }
  if (problems.length === 0) problems.push(...dependencyProblems(platform, values, places, at));
  return problems.length > 0 ? { problems } : { values };
}

function unknownSetting(platform: Platform, id: string): string {
  const settingIds = settingsOf[platform].map((setting) => setting.id);
  if (settingIds.length === 0) return `${platform} has no settings, so ${id} is unknown`;
  const near = nearest(id, settingIds);
  return (
    `${id} is not a setting of ${platform}` + (near === undefined ? "" : `; did you mean ${near}?`)
  );
}

function readValue(
  { id, type, detectionOnly }: Setting,
  value: SettingValue,
): { readonly value: SettingValue } | { readonly problem: string } {
  if (type === "toggle") {
    return "enabled" in value
      ? { value: { enabled: value.enabled } }
      : { problem: `expected {"enabled": true or false}, because ${id} is a toggle` };
  }
  if (!("detection" in value)) {
    const members = detectionOnly ? '{"detection"}' : '{"detection", "prevention"}';
    return { problem: `expected ${members}, because ${id} is an mlslider` };
  }
  return detectionOnly ? readDetection(id, value) : readSlider(id, value);
}

function readDetection(id: SettingId, { detection, prevention }: SliderValue) {
  return prevention === undefined
    ? { value: { detection } }
    : { problem: `expected {"detection"} alone, because ${id} only detects` };
}

function readSlider(id: SettingId, { detection, prevention = "DISABLED" }: SliderValue) {
  return levels.indexOf(prevention) <= levels.indexOf(detection)
    ? { value: { detection, prevention } }
    : {
        problem: `prevention of ${id} cannot be ${prevention} with detection at ${detection}; prevention must not exceed detection`,
      };
}

const isOn = (value: SettingValue | undefined): boolean =>
  value !== undefined && ("enabled" in value ? value.enabled : value.detection !== "DISABLED");

/**
 * Problems of settings that are on although a setting that they require is off. Each problem has the place
 * of one of the two in the request.
 */
function dependencyProblems(
  platform: Platform,
  values: SettingValues,
  places: ReadonlyMap<SettingId, string>,
  at: string,
): readonly Problem[] {
  return settingsOf[platform].flatMap(({ id, requires }) => {
    if (!isOn(values.get(id))) return [];
    return requires
      .filter((needed) => !isOn(values.get(needed)))
      .map((needed) => {
        const place = places.get(id) ?? places.get(needed);
        return {
          at: place === undefined ? at : `${place}.value`,
          message: places.has(id)
            ? `${id} cannot be on without ${needed}; turn ${needed} on as well`
            : `${needed} cannot be off while ${id} is on; turn ${id} off as well`,
        };
      });
  });
}
