import type { Predicate } from "@security-platform/fql";

const field = "deleted";

/**
 * Which deleted records `predicate` asks for: those that match because of a `deleted:true` in it. The
 * same predicate comes back where that is every deleted record that matches.
 */
export function deletedAskedFor(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case "equal":
      return predicate.field === field && predicate.value === true ? predicate : nothing;
    case "any-of":
      return predicate.field === field && predicate.values.includes(true) ? predicate : nothing;
    case "and":
    case "or":
      return askedForByOne(predicate);
    default:
      return nothing;
  }
}

function askedForByOne(predicate: Extract<Predicate, { operands: unknown }>): Predicate {
  const asked = predicate.operands.map(deletedAskedFor);
  const possible = asked.filter(({ kind }) => kind !== "nothing");
  if (possible.length === 0) return nothing;
  const same = (operand: Predicate, at: number) => operand === asked[at];
  if (predicate.kind === "or") {
    return predicate.operands.every(same) ? predicate : { kind: "or", operands: possible };
  }
  if (predicate.operands.some(same)) return predicate;
  const [only, ...others] = possible;
  const any: Predicate =
    others.length === 0 && only !== undefined ? only : { kind: "or", operands: possible };
  return { kind: "and", operands: [...predicate.operands, any] };
}

const nothing: Predicate = { kind: "nothing" };
