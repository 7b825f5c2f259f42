import { errors, type ApiError } from "../../errors.ts";
import type { ReadScope } from "../../store/types.ts";

/** The indicators that a read shows: with `from_parent` the inherited or own ones, without it both. */
export function sightOf(fromParent: boolean | undefined): NonNullable<ReadScope["records"]> {
  if (fromParent === undefined) return "both";
  return fromParent ? "inherited" : "own";
}

/** 403: indicators of a parent tenant are read-only for its children. */
export const inheritedIndicators = (ids: readonly string[]): ApiError =>
  errors.readOnly(
    ids.map((id) => ({
      at: "",
      id,
      message: `indicator ${id} belongs to a parent tenant and cannot be changed here`,
    })),
  );

/** 403 for a request that selects inherited indicators; `at` is the place of `from_parent`. */
export const inheritedSelection = (at: string): ApiError =>
  errors.readOnly([
    {
      at,
      message:
        "indicators of parent tenants cannot be changed here; use a token of the parent tenant",
    },
  ]);
