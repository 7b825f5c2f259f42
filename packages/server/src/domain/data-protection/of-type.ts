import type { Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";

/** Records that come with the platform, or those of the tenant; both where nothing is said. */
export const ofType = (
  type: components["schemas"]["DataProtectionOrigin"] | undefined,
): Predicate | undefined =>
  type === undefined ? undefined : { kind: "equal", field: "type", value: type, fold: false };
