import type { Predicate } from "@security-platform/fql";

const field = "deleted";

/**
 * The part of `predicate` that finds deleted records: those that match because of a `deleted:true`. Returns
 * `predicate` itself if it already has this effect.
 */
export function deletedPart(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case "equal":
      return predicate.field === field && predicate.value === true ? predicate : nothing;
    case "any-of":
      return predicate.field === field && predicate.values.includes(true) ? predicate : nothing;
    case "and":
    case "or":
      return deletedPartOfGroup(predicate);
    default:
      return nothing;
  }
}

function deletedPartOfGroup(predicate: Extract<Predicate, { operands: unknown }>): Predicate {
  const parts: Predicate[] = [];
  let whole = 0;
  for (const operand of predicate.operands) {
    const part = deletedPart(operand);
    if (part === operand) whole += 1;
    if (part.kind !== "nothing") parts.push(part);
  }
  const [only, ...others] = parts;
  if (only === undefined) return nothing;
  if (whole >= (predicate.kind === "or" ? predicate.operands.length : 1)) return predicate;
  const any: Predicate = others.length === 0 ? only : { kind: "or", operands: parts };
  return predicate.kind === "or" ? any : { kind: "and", operands: [...predicate.operands, any] };
}

const nothing: Predicate = { kind: "nothing" };
