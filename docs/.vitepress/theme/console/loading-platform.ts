import { h, type VNode } from "vue";
import { platformSize, platformState } from "./platform.ts";
import { formatBytes } from "./units.ts";

/** How far the platform in the page is on its way; null before and after. */
export function loadingPlatform(): VNode | null {
  const { phase, loaded } = platformState;
  if (phase === "starting") return h("span", { role: "status" }, "Starting the platform …");
  if (phase !== "loading") return null;
  return h("label", { class: "console-loading" }, [
    `Loading the platform, ${formatBytes(loaded)} of ${formatBytes(platformSize)} `,
    h("progress", { max: platformSize, value: loaded }),
  ]);
}
