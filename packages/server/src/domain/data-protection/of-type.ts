import { where, type Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";

/** Selects predefined or custom records; without a type, both. */
export const ofType = (
  type: components["schemas"]["DataProtectionOrigin"] | undefined,
): Predicate | undefined => (type === undefined ? undefined : where.equal("type", type));
