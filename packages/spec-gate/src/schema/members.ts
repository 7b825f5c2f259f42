import type { Conjunction, ObjectAtom } from "./canonical.ts";
import { matches } from "./expression.ts";

/** The schema that an object declares for a member. */
export function childOf(atom: ObjectAtom, name: string): Conjunction {
  const declared = atom.properties.get(name);
  const matching = [...atom.patterns]
    .filter(([pattern]) => matches(pattern, name) === true)
    .flatMap(([, schema]) => schema);
  if (declared === undefined && matching.length === 0) return atom.additional;
  return matching.length === 0 ? (declared ?? []) : [...(declared ?? []), ...matching];
}
