import { atomTypes, isAny, type Atom, type AtomType, type Canonical } from "../canonical.ts";
import type { SchemaReader } from "../schema-reader.ts";
import { alignByMember } from "./alignment.ts";
import { nameOf, pairAlternatives } from "./alternatives.ts";
import { compareArrays } from "./arrays.ts";
import { compareChoices } from "./choices.ts";
import { compareObjects } from "./objects.ts";
import { compareNumbers, compareStrings, compareValues } from "./scalars.ts";
import type { Site } from "./site.ts";
import { isText, isWritten, reversed } from "./texts.ts";

/** `isWhole`: one schema is empty, so that everything below is part of the change of type. */
export function compareCanonical(
  site: Site,
  base: Canonical,
  revision: Canonical,
  isWhole: boolean,
): void {
  // A parameter, a header and a part of a form are texts, which are never null.
  if (!isText(site.mode.textual)) compareNull(site, base, revision);
  compareOpen(site, base, revision);
  compareChoices(site, base, revision);
  const types = new Set(atomTypes);
  if (compareTypes(site, base, revision, types) && isWhole) return;
  for (const type of types) {
    const before = base.atoms.filter((atom) => atom.type === type);
    const after = revision.atoms.filter((atom) => atom.type === type);
    const { pairs, removed, added } =
      alignByMember(site, before, after) ?? pairAlternatives(site, before, after);
    for (const [one, other] of pairs) compareAtoms(site, one, other);
    for (const atom of removed) {
      site.report("alternative-removed", `the alternative ${nameOf(atom)} was removed`);
    }
    for (const atom of added) {
      site.report("alternative-added", `the alternative ${nameOf(atom)} is new`);
    }
  }
}

function compareNull(site: Site, base: Canonical, revision: Canonical): void {
  if (base.nullable === revision.nullable) return;
  // A complete change of type is reported once.
  if (isAny(base) || isAny(revision)) return;
  if (revision.nullable) site.report("null-allowed", "null is allowed now");
  else site.report("null-forbidden", "null is no longer allowed");
}

function compareOpen(site: Site, base: Canonical, revision: Canonical): void {
  if ((base.open === true) === (revision.open === true)) return;
  const name = "the alternative that allows everything";
  if (revision.open === true) site.report("alternative-added", `${name} is new`);
  else site.report("alternative-removed", `${name} was removed`);
}

/** Reports types that only one side has, and removes them from `types`. Returns whether there are any. */
function compareTypes(
  site: Site,
  base: Canonical,
  revision: Canonical,
  types: Set<AtomType>,
): boolean {
  const has = ({ atoms }: Canonical, type: AtomType) => atoms.some((atom) => atom.type === type);
  const onlyBase = atomTypes.filter((type) => has(base, type) && !has(revision, type));
  const onlyRevision = atomTypes.filter((type) => !has(base, type) && has(revision, type));
  for (const type of atomTypes) {
    if (!has(base, type) || !has(revision, type)) types.delete(type);
  }
  const lost = onlyBase.filter((type) => !isWritten(site, base, revision, type));
  const gained = onlyRevision.filter((type) => !isWritten(reversed(site), revision, base, type));
  const words = `from ${typeText(site.base, base)} to ${typeText(site.revision, revision)}`;
  if (lost.length > 0 && gained.length > 0) {
    site.report("type-changed", `the type was changed ${words}`);
  } else if (lost.length > 0) site.report("type-narrowed", `the type was narrowed ${words}`);
  else if (gained.length > 0) site.report("type-widened", `the type was widened ${words}`);
  return lost.length + gained.length > 0;
}

function typeText(reader: SchemaReader, schema: Canonical): string {
  if (
    schema.atoms.length > 0 &&
    atomTypes.every((type) => schema.atoms.some((atom) => atom.type === type))
  ) {
    const excluded = schema.atoms.flatMap(({ conditions }) =>
      conditions.flatMap((condition) =>
        condition.kind === "not" ? [typeText(reader, reader.canonical(condition.schema))] : [],
      ),
    );
    if (excluded.length > 0) return `not ${[...new Set(excluded)].join(" and not ")}`;
    if (schema.nullable) return "any";
  }
  const names = schema.atoms.map((atom) =>
    atom.type === "number" && atom.integer ? "integer" : atom.type,
  );
  const all = [...new Set<string>(names), ...(schema.nullable ? ["null"] : [])];
  return all.length === 0 ? "nothing" : all.join(" | ");
}

function compareAtoms(outer: Site, base: Atom, revision: Atom): void {
  const site =
    base.label === undefined && revision.label === undefined ? outer : named(outer, base, revision);
  compareConditions(site, base, revision);
  if (compareValues(site, base, revision)) return;
  if (base.type === "number" && revision.type === "number") compareNumbers(site, base, revision);
  if (base.type === "string" && revision.type === "string") compareStrings(site, base, revision);
  if (base.type === "array" && revision.type === "array") compareArrays(site, base, revision);
  if (base.type === "object" && revision.type === "object") compareObjects(site, base, revision);
}

/** Names the alternative in messages. */
function named(site: Site, base: Atom, revision: Atom): Site {
  const name = revision.label ?? base.label ?? "";
  return {
    ...site,
    report: (rule, message, at) => site.report(rule, `alternative ${name}: ${message}`, at),
  };
}

function compareConditions(site: Site, base: Atom, revision: Atom): void {
  if (base.conditions.length === 0 && revision.conditions.length === 0) return;
  const { subsumption } = site;
  const wider = subsumption.conditionsWithin(base, revision);
  const narrower = subsumption.reverse.conditionsWithin(revision, base);
  if (wider && narrower) return;
  const kinds = [...new Set([...base.conditions, ...revision.conditions].map(({ kind }) => kind))];
  const words = kinds.join(" and ");
  if (narrower) site.report("condition-added", `${words} excludes more values`);
  else if (wider) site.report("condition-removed", `${words} excludes fewer values`);
  else site.report("condition-changed", `${words} excludes other values`);
}
