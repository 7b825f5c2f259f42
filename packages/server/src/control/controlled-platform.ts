import { routeControl } from "../http/control/control.ts";
import { createControlParts } from "../http/control/parts.ts";
import { defaultConfig } from "../foundation/config.ts";
import { LocalLimits } from "../limits/limits.ts";
import { createPlatform, type Platform, type PlatformParts } from "../platform/platform.ts";
import type { ControlledClock } from "./controlled-clock.ts";
import { Controls } from "./controls.ts";

export interface ControlledParts extends Omit<PlatformParts, "control"> {
  readonly clock: ControlledClock;
  /** Whether `/_control` is served. Default: false. */
  readonly overHttp?: boolean;
}

export interface ControlledPlatform extends Platform {
  readonly controls: Controls;
}

/** Creates a platform for tests, whose time, state and faults can be controlled. */
export async function createControlledPlatform(
  parts: ControlledParts,
): Promise<ControlledPlatform> {
  const { clock, config } = parts;
  // Processes that share a port share other limits, which these do not show.
  const local = new LocalLimits({ ...defaultConfig, ...config }.limits);
  const control = createControlParts(clock);
  const laterParts: { controls?: Controls } = {};
  const platform = await createPlatform({
    ...parts,
    limits: parts.limits ?? local,
    control,
    addPages: async (app) => {
      if (parts.overHttp === true) await routeControl(app, () => laterParts.controls as Controls);
      await parts.addPages?.(app);
    },
  });
  const controls = new Controls({ ...control, platform, clock, limits: local });
  laterParts.controls = controls;
  return { ...platform, controls };
}
