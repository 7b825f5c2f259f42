import { where, type Predicate } from "@security-platform/fql";

/** `from <= field < to`. Null: open. The same element of a list must satisfy both. */
export function within<Value extends string | number>(
  field: string,
  from: Value | null,
  to: Value | null,
): Predicate {
  if (typeof from === "string" && typeof to === "string") {
    return { kind: "between", field, from, to };
  }
  if (from === null && to === null) return where.present(field);
  return where.all(
    from === null ? where.everything : where.compare(field, ">=", from),
    to === null ? where.everything : where.compare(field, "<", to),
  );
}
