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
  const parts = predicate.operands.map(deletedPart);
  const possible = parts.filter(({ kind }) => kind !== "nothing");
  if (possible.length === 0) return nothing;
  const same = (operand: Predicate, at: number) => operand === parts[at];
  const [only, ...others] = possible;
  const one = only !== undefined && others.length === 0;
  const any: Predicate = one ? only : { kind: "or", operands: possible };
  if (predicate.kind === "or") return predicate.operands.every(same) ? predicate : any;
  if (predicate.operands.some(same)) return predicate;
  return { kind: "and", operands: [...predicate.operands, any] };
}

const nothing: Predicate = { kind: "nothing" };
