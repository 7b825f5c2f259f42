import { canonicalText, isObject, type Json, type JsonObject } from "../../json.ts";
import type { Atom, Conjunction, ObjectAtom } from "../canonical.ts";
import type { SchemaReader } from "../schema-reader.ts";
import { pairAlternatives, type Pairing } from "./alternatives.ts";
import type { Site } from "./site.ts";

/** Longer lists of alternatives have too many pairs; each is compared with the most similar one. */
const mostPairs = 10_000;

/**
 * Pairs alternatives that differ in the listed values of one member, such as `kind`. An object with
 * several values that are alternatives of their own in the other document is split into them. Undefined if
 * there is no such member, or nothing to split.
 */
export function alignByMember(
  site: Site,
  base: readonly Atom[],
  revision: readonly Atom[],
): Pairing | undefined {
  if (base.length * revision.length > mostPairs) return undefined;
  if (!base.every(isAnObject) || !revision.every(isAnObject)) return undefined;
  const names = base[0]?.properties.keys() ?? [];
  for (const name of names) {
    const before = groupsOf(site.base, base, name);
    const after = groupsOf(site.revision, revision, name);
    if (before === undefined || after === undefined) continue;
    const isSplit = [
      [before, after],
      [after, before],
    ].some(([some, others]) =>
      some?.some(
        ({ values }) => (others ?? []).filter((other) => common(values, other.values)).length > 1,
      ),
    );
    const isAlike = new Set([...base, ...revision].map(({ required }) => required.has(name)));
    if (isSplit && isAlike.size === 1) return align(site, name, before, after);
  }
  return undefined;
}

const isAnObject = (atom: Atom): atom is ObjectAtom =>
  atom.type === "object" && atom.values === undefined;

/** Alternatives with the same values of a member, by their texts. */
interface Group {
  readonly values: ReadonlyMap<string, Json>;
  readonly atoms: readonly ObjectAtom[];
}

const common = (values: Group["values"], others: Group["values"]): boolean =>
  [...values.keys()].some((text) => others.has(text));

function align(
  site: Site,
  name: string,
  before: readonly Group[],
  after: readonly Group[],
): Pairing {
  const pairs: (readonly [Atom, Atom])[] = [];
  const removed: Atom[] = [];
  const added: Atom[] = [];
  for (const one of before) {
    for (const other of after) {
      const values = [...one.values.keys()].filter((text) => other.values.has(text));
      if (values.length === 0) continue;
      const [was, is] = [
        limited(site.base, one, name, values),
        limited(site.revision, other, name, values),
      ];
      const inner = alignByMember(site, was, is) ?? pairAlternatives(site, was, is);
      pairs.push(...inner.pairs);
      removed.push(...inner.removed);
      added.push(...inner.added);
    }
  }
  const left = (groups: readonly Group[], others: readonly Group[], reader: SchemaReader) =>
    groups.flatMap((group) => {
      const own = [...group.values.keys()].filter(
        (text) => !others.some(({ values }) => values.has(text)),
      );
      return own.length === 0 ? [] : limited(reader, group, name, own);
    });
  return {
    pairs,
    removed: [...removed, ...left(before, after, site.base)],
    added: [...added, ...left(after, before, site.revision)],
  };
}

/** The alternatives by the values of a member; undefined if these overlap, or are not listed. */
function groupsOf(
  reader: SchemaReader,
  atoms: readonly ObjectAtom[],
  name: string,
): readonly Group[] | undefined {
  const groups = new Map<string, Group>();
  for (const atom of atoms) {
    const listed = listedIn(reader, atom, name);
    if (listed === undefined) return undefined;
    const values = new Map(listed.map((value) => [canonicalText(value), value]));
    const key = JSON.stringify([...values.keys()].toSorted());
    groups.set(key, { values, atoms: [...(groups.get(key)?.atoms ?? []), atom] });
  }
  const all = [...groups.values()].flatMap(({ values }) => [...values.keys()]);
  return new Set(all).size === all.length ? [...groups.values()] : undefined;
}

/** The only values of a member; undefined if they are not listed. */
function listedIn(
  reader: SchemaReader,
  { properties }: ObjectAtom,
  name: string,
): readonly Json[] | undefined {
  const schema = properties.get(name);
  if (schema === undefined) return undefined;
  const { atoms, nullable, open } = reader.canonical(schema);
  if (open === true || atoms.length === 0) return undefined;
  const values = atoms.map(
    (atom) => atom.values ?? (atom.type === "boolean" ? [true, false] : undefined),
  );
  if (values.some((each) => each === undefined)) return undefined;
  return [...values.flatMap((each) => each ?? []), ...(nullable ? [null] : [])];
}

const pieces = new WeakMap<object, Map<string, JsonObject>>();

/** The alternatives of a group with fewer values of the member. */
function limited(
  reader: SchemaReader,
  { values, atoms }: Group,
  name: string,
  texts: readonly string[],
): readonly ObjectAtom[] {
  if (texts.length === values.size) return atoms;
  const left = texts.map((text) => values.get(text) ?? null);
  return atoms.map((atom) => {
    const schema: Conjunction = atom.properties.get(name) ?? [];
    const written = schema.find(isObject);
    const known = written === undefined ? undefined : pieces.get(written)?.get(texts.join());
    const limit: JsonObject = known ?? { enum: left };
    if (written !== undefined && known === undefined) {
      const all = pieces.get(written) ?? new Map<string, JsonObject>();
      pieces.set(written, all.set(texts.join(), limit));
      const origin = reader.document.origins.get(written);
      if (origin !== undefined) reader.document.origins.set(limit, origin);
    }
    return { ...atom, properties: new Map(atom.properties).set(name, [...schema, limit]) };
  });
}
