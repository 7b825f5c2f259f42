import type { ServerLimits } from "@security-platform/server/internal";
import { attributeOf } from "../../settings/setting.ts";
import { limitSettings } from "../../settings/limit-settings.ts";

/** Selects the limits from a command's options. */
export function readLimits(options: Readonly<Record<string, unknown>>): ServerLimits {
  const values = Object.entries(limitSettings).map(([name, setting]) => [
    name,
    options[attributeOf(setting)],
  ]);
  return Object.fromEntries(values) as unknown as ServerLimits;
}
