import { canonicalText, shown, type Json, type JsonObject } from "../../json.ts";
import { accepts, acceptsAtom, type Schemas } from "../accepts.ts";
import { plus } from "../../numeric.ts";
import { textsOfFormats } from "../format-values.ts";
import type { Atom, Canonical, Conjunction } from "../canonical.ts";
import { intersect } from "../intersect.ts";
import type { SchemaReader } from "../schema-reader.ts";
import type { Site } from "./site.ts";

/**
 * Reports values that were allowed, and match several branches of a `oneOf` now, and the reverse. A
 * value is shown as the proof.
 */
export function compareChoices(site: Site, base: Canonical, revision: Canonical): void {
  // Where alternatives overlapped before, nobody takes oneOf by its word.
  const isLoose = overlapping(site.base, base, site.base, { ...base, choices: [] }) !== undefined;
  const lost = isLoose ? undefined : overlapping(site.revision, revision, site.base, base);
  if (lost !== undefined) {
    const words = `${shown(lost)} matches several alternatives of oneOf now, so it is not allowed`;
    site.report("alternatives-overlap", words);
  }
  const gained = overlapping(site.base, base, site.revision, revision);
  if (gained !== undefined) {
    const words = `${shown(gained)} matched several alternatives of oneOf, and is allowed now`;
    site.report("alternatives-no-longer-overlap", words);
  }
}

/** Only what is certain is a proof: formats count, and unknown ones match nothing. */
const certain = (reader: SchemaReader): Schemas => ({
  canonical: (schema) => reader.canonical(schema),
  step: () => reader.step(),
  checksFormats: true,
});

/** Longer lists have too many pairs; they are compared as those of `anyOf`. */
const mostBranches = 12;

/** A value that several branches of one schema match, and that the other schema allows. */
function overlapping(
  reader: SchemaReader,
  { choices = [] }: Canonical,
  other: SchemaReader,
  wanted: Canonical,
): Json | undefined {
  const isLong = choices.some((branches) => branches.length > mostBranches);
  if (choices.length === 0 || isLong || wanted.isTooComplex === true) return undefined;
  const candidates = wanted.atoms.slice(0, mostBranches).flatMap((atom) => samples(other, atom, 0));
  for (const branches of choices) {
    for (const [index, one] of branches.entries()) {
      for (const two of branches.slice(index + 1)) {
        const both = intersect(reader.canonical(one), reader.canonical(two));
        candidates.push(
          ...both.atoms.slice(0, mostTried).flatMap((atom) => samples(reader, atom, 0)),
        );
      }
    }
  }
  const matches = (from: SchemaReader, branches: readonly Conjunction[], value: Json): number =>
    branches.filter(
      (branch) => !isVague(from, branch) && accepts(certain(from), from.canonical(branch), value),
    ).length;
  return candidates.find(
    (value) =>
      choices.some((branches) => matches(reader, branches, value) > 1) &&
      accepts(certain(other), wanted, value) &&
      (wanted.choices ?? []).every((branches) => matches(other, branches, value) <= 1),
  );
}

/** Whether a branch allows any object: such branches overlap, and nobody takes oneOf by its word. */
const isVague = (reader: SchemaReader, branch: Conjunction): boolean =>
  reader
    .canonical(branch)
    .atoms.some(
      (atom) =>
        atom.type === "object" &&
        atom.values === undefined &&
        atom.required.size === 0 &&
        atom.minProperties === 0 &&
        atom.additional.length === 0,
    );

const deepest = 3;
/** Alternatives and members of a sample: each has samples of its own. */
const mostTried = 2;
const mostMembers = 20;

/** A few values that an alternative allows: the smallest ones, and an object with all members. */
function samples(reader: SchemaReader, atom: Atom, depth: number): readonly Json[] {
  const all = atom.values ?? drafts(reader, atom, depth);
  const distinct = new Map(all.slice(0, 20).map((value) => [canonicalText(value), value]));
  return [...distinct.values()].filter((value) => acceptsAtom(certain(reader), atom, value));
}

function drafts(reader: SchemaReader, atom: Atom, depth: number): readonly Json[] {
  const inner = (schema: Conjunction): Json | undefined => {
    if (depth >= deepest) return undefined;
    const { atoms, nullable } = reader.canonical(schema);
    for (const each of atoms.slice(0, mostTried)) {
      const [first] = samples(reader, each, depth + 1);
      if (first !== undefined) return first;
    }
    return nullable ? null : undefined;
  };
  switch (atom.type) {
    case "boolean":
      return [true, false];
    case "number": {
      const { minimum, maximum, multiplesOf } = atom;
      const limits = [minimum?.value, maximum?.value].filter((limit) => limit !== undefined);
      return [
        0,
        1,
        ...multiplesOf,
        ...limits.flatMap((limit) => [limit, plus(limit, 1), plus(limit, -1)]),
        0.5,
      ];
    }
    case "string":
      return [
        "",
        "a",
        "0",
        "A",
        "a".repeat(Math.min(atom.minLength, 1_000)),
        ...(atom.formats.length > 0 || atom.contentEncoding !== undefined ? textsOfFormats : []),
      ];
    case "array": {
      const count = Math.min(atom.minItems, 10);
      const items = Array.from({ length: count }, (_, index) =>
        inner(atom.prefix[index] ?? atom.rest),
      );
      const one = inner(atom.prefix[0] ?? atom.rest);
      return [items.flatMap((item) => item ?? []), ...(one === undefined ? [] : [[one]])];
    }
    case "object": {
      const build = (names: Iterable<string>): JsonObject =>
        Object.fromEntries(
          [...names].slice(0, mostMembers).flatMap((name): [string, Json][] => {
            const value = inner(atom.properties.get(name) ?? atom.additional);
            return value === undefined ? [] : [[name, value]];
          }),
        );
      return [build(atom.required), build(new Set([...atom.required, ...atom.properties.keys()]))];
    }
  }
}
