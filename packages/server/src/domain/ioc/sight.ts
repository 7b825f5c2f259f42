import { errors, type ApiError } from "../../errors.ts";
import type { Sight } from "../../store/types.ts";

/** Whose indicators a read shows: `from_parent` true the inherited, false the own, left out both. */
export function sightOf(fromParent: boolean | undefined): NonNullable<Sight["records"]> {
  if (fromParent === undefined) return "both";
  return fromParent ? "inherited" : "own";
}

/** A parent's indicators are read-only for its children. */
export const inheritedIndicators = (ids: readonly string[]): ApiError =>
  errors.readOnly(
    ids.map((id) => ({
      at: "",
      id,
      message: `indicator ${id} belongs to a parent tenant and cannot be changed here`,
    })),
  );

/** `at` is the place that asks for the inherited indicators. */
export const inheritedSelection = (at: string): ApiError =>
  errors.readOnly([
    {
      at,
      message: "indicators of parent tenants cannot be changed here; sign in to the parent tenant",
    },
  ]);
