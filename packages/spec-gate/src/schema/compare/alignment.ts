import { canonicalText, isObject, type Json, type JsonObject } from "../../json.ts";
import type { Atom, Conjunction, ObjectAtom } from "../canonical.ts";
import type { SchemaReader } from "../schema-reader.ts";
import type { Pairing } from "./alternatives.ts";
import type { Site } from "./site.ts";

/**
 * Pairs one object with several alternatives that differ in the listed values of one member, such as
 * `kind`. The object is split into parts that have the same values. Undefined if there is no such member.
 */
export function alignByMember(
  site: Site,
  base: readonly Atom[],
  revision: readonly Atom[],
): Pairing | undefined {
  if ((base.length === 1) === (revision.length === 1)) return undefined;
  const isSplit = base.length === 1;
  const [whole] = isSplit ? base : revision;
  const parts = isSplit ? revision : base;
  const [wholeReader, partReader] = isSplit
    ? [site.base, site.revision]
    : [site.revision, site.base];
  if (whole?.type !== "object" || parts.length < 2) return undefined;
  const objects = parts.filter((part) => part.type === "object");
  if (objects.length < parts.length) return undefined;
  const member = memberOf(wholeReader, whole, partReader, objects);
  if (member === undefined) return undefined;
  const { name, values } = member;
  const ownText = new Map(member.own.map((value) => [canonicalText(value), value]));
  const pairs = objects.flatMap((part, index): readonly (readonly [Atom, Atom])[] => {
    const common = (values[index] ?? []).flatMap((text) => ownText.get(text) ?? []);
    if (common.length === 0) return [];
    const piece = { ...limited(wholeReader, whole, name, common), label: part.label };
    return [isSplit ? [piece, part] : [part, piece]];
  });
  const covered = new Set(values.flat());
  const left = member.own.filter((value) => !covered.has(canonicalText(value)));
  const rest = left.length === 0 ? [] : [limited(wholeReader, whole, name, left)];
  const more = objects.filter((_, index) => values[index]?.every((text) => !ownText.has(text)));
  return { pairs, removed: isSplit ? rest : more, added: isSplit ? more : rest };
}

interface Splitting {
  readonly name: string;
  /** The values of the member in the whole object. */
  readonly own: readonly Json[];
  /** Those in each part, as texts. */
  readonly values: readonly (readonly string[])[];
}

/** The member whose listed values tell all parts apart. */
function memberOf(
  wholeReader: SchemaReader,
  whole: ObjectAtom,
  partReader: SchemaReader,
  parts: readonly ObjectAtom[],
): Splitting | undefined {
  for (const name of whole.properties.keys()) {
    const own = listedIn(wholeReader, whole, name);
    if (own === undefined) continue;
    const values = parts.map((part) => listedIn(partReader, part, name)?.map(canonicalText));
    const all = values.flatMap((each) => each ?? []);
    const isDisjoint =
      values.every((each) => each !== undefined) && new Set(all).size === all.length;
    const isAlike = parts.every((part) => part.required.has(name) === whole.required.has(name));
    if (isDisjoint && isAlike) return { name, own, values: values.map((each) => each ?? []) };
  }
  return undefined;
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

/** The object with fewer values of a member. */
function limited(
  reader: SchemaReader,
  whole: ObjectAtom,
  name: string,
  values: readonly Json[],
): ObjectAtom {
  const schema: Conjunction = whole.properties.get(name) ?? [];
  const written = schema.find(isObject);
  const key = canonicalText(values);
  const known = written === undefined ? undefined : pieces.get(written)?.get(key);
  const limit: JsonObject = known ?? { enum: values };
  if (written !== undefined && known === undefined) {
    const all = pieces.get(written) ?? new Map<string, JsonObject>();
    pieces.set(written, all.set(key, limit));
    const origin = reader.document.origins.get(written);
    if (origin !== undefined) reader.document.origins.set(limit, origin);
  }
  return { ...whole, properties: new Map(whole.properties).set(name, [...schema, limit]) };
}
