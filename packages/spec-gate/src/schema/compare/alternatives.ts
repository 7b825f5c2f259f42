import type { Atom } from "../canonical.ts";
import type { Site } from "./site.ts";

export interface Pairing {
  readonly pairs: readonly (readonly [Atom, Atom])[];
  readonly removed: readonly Atom[];
  readonly added: readonly Atom[];
}

/** Pairs the alternatives of one type in the old and new schema. */
export function pairAlternatives(
  site: Site,
  base: readonly Atom[],
  revision: readonly Atom[],
): Pairing {
  const pairs: [Atom, Atom][] = [];
  const removed = new Set(base);
  const added = new Set(revision);
  const pair = (before: Atom, after: Atom): void => {
    pairs.push([before, after]);
    removed.delete(before);
    added.delete(after);
  };
  if (base.length === 1 && revision.length === 1 && base[0] && revision[0]) {
    return { pairs: [[base[0], revision[0]]], removed: [], added: [] };
  }
  const isSame = (before: Atom, after: Atom): boolean =>
    site.subsumption.atomWithin(before, after) &&
    site.subsumption.reverse.atomWithin(after, before);
  const byLabel = labelled(revision);
  const pairLabelled = (fits: (before: Atom, after: Atom) => boolean): void => {
    for (const [label, before] of labelled(base)) {
      const after = byLabel.get(label);
      if (after === undefined || !removed.has(before) || !added.has(after)) continue;
      if (fits(before, after)) pair(before, after);
    }
  };
  // The value of a discriminator is sent; other names may be swapped without any effect.
  pairLabelled((before, after) => before.isTagged && after.isTagged);
  pairLabelled(isSame);
  for (const before of base) {
    if (!removed.has(before)) continue;
    const after = [...added].find((each) => isSame(before, each));
    if (after !== undefined) pair(before, after);
  }
  pairLabelled(() => true);
  const leftBefore = [...removed].filter(
    (before) => !revision.some((after) => site.subsumption.atomWithin(before, after)),
  );
  const leftAfter = [...added].filter(
    (after) => !base.some((before) => site.subsumption.reverse.atomWithin(after, before)),
  );
  // A changed alternative is paired with the most similar remaining alternative of the other side.
  const isLeft = new Set([...leftBefore, ...leftAfter]);
  const candidates = [...removed]
    .flatMap((before) =>
      [...added].map((after) => ({ before, after, likeness: likeness(site, before, after) })),
    )
    .filter(
      ({ before, after, likeness: value }) =>
        value > 0 && (isLeft.has(before) || isLeft.has(after)),
    )
    .toSorted((left, right) => right.likeness - left.likeness);
  const paired = new Set<Atom>();
  for (const { before, after } of candidates) {
    if (paired.has(before) || paired.has(after)) continue;
    paired.add(before).add(after);
    pairs.push([before, after]);
  }
  return {
    pairs,
    removed: leftBefore.filter((atom) => !paired.has(atom)),
    added: leftAfter.filter((atom) => !paired.has(atom)),
  };
}

/** Alternatives by label, if the label is unique. */
function labelled(atoms: readonly Atom[]): ReadonlyMap<string, Atom> {
  const byLabel = new Map<string, Atom>();
  const repeated = new Set<string>();
  for (const atom of atoms) {
    if (atom.label === undefined) continue;
    if (byLabel.has(atom.label)) repeated.add(atom.label);
    byLabel.set(atom.label, atom);
  }
  for (const label of repeated) byLabel.delete(label);
  return byLabel;
}

function likeness(site: Site, before: Atom, after: Atom): number {
  const { subsumption } = site;
  const isRelated =
    subsumption.atomWithin(before, after) || subsumption.reverse.atomWithin(after, before);
  return (isRelated ? 1 : 0) + sharedMembers(before, after);
}

function sharedMembers(before: Atom, after: Atom): number {
  if (before.type !== "object" || after.type !== "object") {
    return before.type === after.type &&
      (before.values === undefined) === (after.values === undefined)
      ? 1
      : 0;
  }
  const shared = [...before.properties.keys()].filter((name) => after.properties.has(name)).length;
  const all = new Set([...before.properties.keys(), ...after.properties.keys()]).size;
  return all === 0 ? 1 : shared / all;
}

/** The name of an alternative in messages. */
export const nameOf = ({ label, type }: Atom): string => label ?? `of type ${type}`;
