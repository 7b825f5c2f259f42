import { errors, type ApiError } from "../../foundation/errors.ts";
import type { ReadScope } from "../../store/index.ts";

/**
 * The indicators that a read returns. `from_parent` selects the inherited or the own ones; without it, a
 * read returns both.
 */
export function selectedRecords(
  fromParent: boolean | undefined,
): NonNullable<ReadScope["records"]> {
  if (fromParent === undefined) return "both";
  return fromParent ? "inherited" : "own";
}

/** A 403: indicators of a parent tenant are read-only for its child tenants. */
export const inheritedIndicators = (ids: readonly string[]): ApiError =>
  errors.readOnly(
    ids.map((id) => ({
      at: "",
      id,
      message: `indicator ${id} belongs to a parent tenant and cannot be changed here`,
    })),
  );

/** A 403 for a request that selects inherited indicators. `at`: the place of `from_parent`. */
export const inheritedSelection = (at: string): ApiError =>
  errors.readOnly([
    {
      at,
      message:
        "indicators of parent tenants cannot be changed here; use a token of the parent tenant",
    },
  ]);
