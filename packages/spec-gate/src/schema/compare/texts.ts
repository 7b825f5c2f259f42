import type { Json } from "../../json.ts";
import { numericOf } from "../../numeric.ts";
import { anyString, type Atom, type AtomType, type Canonical } from "../canonical.ts";
import type { SchemaReader } from "../schema-reader.ts";
import type { Mode, Site } from "./site.ts";

/** Whether a value is written as text. */
export const isText = (textual: Mode["textual"]): boolean =>
  textual !== undefined && textual !== "members";

/** The only values of an alternative, if they can be listed. */
const listed = ({ type, values }: Atom): readonly Json[] | undefined =>
  values ?? (type === "boolean" ? [true, false] : undefined);

/** Listed numbers and truth values that are written as text are listed texts. */
export function asTexts(
  textual: boolean,
  base: Canonical,
  revision: Canonical,
): readonly [Canonical, Canonical] {
  const isListed = ({ atoms }: Canonical): boolean =>
    atoms.length > 0 &&
    atoms.every((atom) => listed(atom) !== undefined && /number|string|boolean/.test(atom.type));
  if (!textual || !isListed(base) || !isListed(revision)) return [base, revision];
  const texts = ({ atoms, ...others }: Canonical): Canonical => ({
    ...others,
    atoms: [
      {
        ...anyString,
        values: [...new Set(atoms.flatMap((atom) => (listed(atom) ?? []).map(String)))],
      },
    ],
  });
  return [texts(base), texts(revision)];
}

export const reversed = ({ mode, base, revision, subsumption }: Sides): Sides => ({
  mode,
  base: revision,
  revision: base,
  subsumption: subsumption.reverse,
});

type Sides = Pick<Site, "mode" | "base" | "revision" | "subsumption">;

/** Whether the serialised values of a type can also be parsed as another type. */
export function isWritten(
  { mode, base, revision, subsumption }: Sides,
  from: Canonical,
  to: Canonical,
  type: AtomType,
): boolean {
  if (!isText(mode.textual)) return false;
  // Only parts of a message are objects; those of other forms have no common way to be written.
  const isPart = mode.textual === "part" && mode.list === "apart" && mode.raw !== undefined;
  if (type === "object" && !isPart) return false;
  if (type === "array") {
    return mode.list !== undefined && isOneItem({ base, revision, subsumption }, from, to);
  }
  const isPlain = type === "number" || type === "boolean";
  const hasText = ({ atoms }: Canonical): boolean => isPlain && atoms.some(isPlainText);
  if (hasText(to)) return true;
  const own = from.atoms.filter((atom) => atom.type === type);
  const values = own.map(listed);
  if (values.every((all) => all?.every((value) => acceptsText(revision, to, value)) === true)) {
    return true;
  }
  if (mode.list === undefined || (mode.list === "joined" && !isPlain)) return false;
  const items = to.atoms.flatMap((atom) =>
    atom.type === "array" && atom.prefix.length === 0 && atom.minItems <= 1 && atom.maxItems >= 1
      ? [revision.canonical(atom.rest)]
      : [],
  );
  return (
    items.some(hasText) ||
    own.every((atom) =>
      items.some(({ atoms }) => atoms.some((item) => subsumption.atomWithin(atom, item))),
    )
  );
}

/** Whether a schema allows a value that has the same text as this one. */
function acceptsText(reader: SchemaReader, schema: Canonical, value: Json): boolean {
  const text = String(value);
  const read = numericOf(text);
  const candidates: readonly Json[] = [
    text,
    ...(text.trim() !== "" && String(read) === text ? [read] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
  ];
  return candidates.some((each) => reader.acceptsCanonical(schema, each));
}

/** Whether lists have at most one item, which is sent like a single value that the other side allows. */
const isOneItem = (
  { base, revision, subsumption }: Omit<Sides, "mode">,
  from: Canonical,
  to: Canonical,
): boolean =>
  from.atoms.every((atom) => {
    if (atom.type !== "array") return true;
    if (atom.maxItems > 1 || atom.prefix.length > 0) return false;
    return base.canonical(atom.rest).atoms.every((item) => {
      const isScalar = item.type !== "array" && item.type !== "object";
      const isRead =
        isScalar &&
        to.atoms.some(
          (other) =>
            isPlainText(other) || (atom.minItems === 1 && subsumption.atomWithin(item, other)),
        );
      return isRead || listed(item)?.every((value) => acceptsText(revision, to, value)) === true;
    });
  });

const isPlainText = (atom: Atom): boolean =>
  atom.type === "string" &&
  atom.values === undefined &&
  atom.patterns.length === 0 &&
  atom.formats.length === 0 &&
  atom.minLength <= 1 &&
  atom.maxLength === Infinity;
