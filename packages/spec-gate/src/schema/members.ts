import type { Conjunction, ObjectAtom } from "./canonical.ts";

const compiled = new Map<string, RegExp | undefined>();

/** A pattern of the document as a JavaScript expression; undefined if it is not supported. */
export function regularExpression(pattern: string): RegExp | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // The pattern may be of another dialect.
    }
  }
  return undefined;
}

/** The schema that an object declares for a member. */
export function childOf(atom: ObjectAtom, name: string): Conjunction {
  const declared = atom.properties.get(name);
  const matching = [...atom.patterns]
    .filter(([pattern]) => regularExpression(pattern)?.test(name) === true)
    .flatMap(([, schema]) => schema);
  if (declared === undefined && matching.length === 0) return atom.additional;
  return matching.length === 0 ? (declared ?? []) : [...(declared ?? []), ...matching];
}
