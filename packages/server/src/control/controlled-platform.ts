import { createControlParts } from "../http/control/parts.ts";
import { defaultConfig } from "../config.ts";
import { LocalLimits } from "../limits/limits.ts";
import { createPlatform, type Platform, type PlatformParts } from "../platform.ts";
import type { ControlledClock } from "./controlled-clock.ts";
import { Controls } from "./controls.ts";

export interface ControlledParts extends Omit<PlatformParts, "control" | "limits"> {
  readonly clock: ControlledClock;
}

export interface ControlledPlatform extends Platform {
  readonly controls: Controls;
}

/** Creates a platform for tests, whose time, state and faults can be controlled. */
export async function createControlledPlatform(
  parts: ControlledParts,
): Promise<ControlledPlatform> {
  const { clock, config } = parts;
  const limits = new LocalLimits({ ...defaultConfig, ...config }.limits);
  const control = createControlParts(clock);
  const platform = await createPlatform({ ...parts, limits, control });
  return { ...platform, controls: new Controls({ ...control, platform, clock, limits }) };
}
