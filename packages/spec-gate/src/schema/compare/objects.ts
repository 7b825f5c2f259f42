import { isNothing, type Conjunction, type ObjectAtom } from "../canonical.ts";
import { isEvaluable } from "../expression.ts";
import { childOf } from "../members.ts";
import type { SchemaReader } from "../schema-reader.ts";
import { compareLower, compareUpper, type Limit } from "./limits.ts";
import { removalOf } from "../lifecycle.ts";
import { difference } from "../../difference.ts";
import type { Mode, Site } from "./site.ts";

export function compareObjects(site: Site, base: ObjectAtom, revision: ObjectAtom): void {
  const names = new Set([
    ...base.properties.keys(),
    ...revision.properties.keys(),
    ...base.required,
    ...revision.required,
  ]);
  for (const name of names) compareMember(site, name, base, revision);
  compareAdditional(site, base, revision);
  comparePatterns(site, base, revision);
  compareNames(site, base, revision);
  compareDependencies(site, base, revision);
  const words = "number of members";
  compareUpper(
    site,
    "max-properties",
    `the largest ${words}`,
    most(site.base, base),
    most(site.revision, revision),
  );
  compareLower(site, "min-properties", `the smallest ${words}`, fewest(base), fewest(revision));
}

const fewest = ({ minProperties, required }: ObjectAtom): Limit => ({
  own: minProperties,
  implied: required.size,
});

/** An object without undeclared members has at most those that are declared. */
function most(reader: SchemaReader, atom: ObjectAtom): Limit {
  const declared = isClosed(reader, atom) ? atom.properties.size : Infinity;
  return { own: atom.maxProperties, implied: Math.min(declared, countOfNames(reader, atom)) };
}

const isClosed = (reader: SchemaReader, { patterns, additional }: ObjectAtom): boolean =>
  patterns.size === 0 && isNothing(reader.canonical(additional));

/** The number of names that are allowed, if they are listed. */
function countOfNames(reader: SchemaReader, { names }: ObjectAtom): number {
  if (names.length === 0) return Infinity;
  const texts = reader.canonical(names).atoms.filter(({ type }) => type === "string");
  return texts.reduce((count, { values }) => count + (values?.length ?? Infinity), 0);
}

/** The schema of the names; empty if it allows all that are declared, and there are no others. */
function namesOf(reader: SchemaReader, atom: ObjectAtom): Conjunction {
  const { names, properties } = atom;
  const isImplied =
    names.length > 0 &&
    isClosed(reader, atom) &&
    [...properties.keys()].every((name) => reader.accepts(names, name));
  return isImplied ? [] : names;
}

/** A member of an object, as one document has it. */
interface Member {
  readonly schema: Conjunction;
  /** Declared in `properties`, and not as `false`. */
  readonly isDeclared: boolean;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
}

function memberOf(reader: SchemaReader, atom: ObjectAtom, name: string): Member {
  const schema = childOf(atom, name);
  const outer = reader.outer(schema);
  return {
    schema,
    isDeclared: atom.properties.has(name) && !isNothing(reader.canonical(schema)),
    isRequired: atom.required.has(name),
    isReadOnly: outer.some(({ readOnly }) => readOnly === true),
    isWriteOnly: outer.some(({ writeOnly }) => writeOnly === true),
  };
}

function compareMember(site: Site, name: string, base: ObjectAtom, revision: ObjectAtom): void {
  const before = memberOf(site.base, base, name);
  const after = memberOf(site.revision, revision, name);
  const isRequest = site.mode.direction === "request";
  const isOut = ({ isReadOnly, isWriteOnly }: Member) => (isRequest ? isReadOnly : isWriteOnly);
  if (before.isDeclared && !after.isDeclared && !isTyped(site.revision, after)) {
    const removal = removalOf(site.base.outer(before.schema), site.today);
    site.report(
      removal?.rule ?? "property-removed",
      `${before.isRequired ? "the required" : "the"} member ${name} was removed${removal?.because ?? ""}`,
      { base: before.schema, member: name, ...(isOut(before) ? { verdict: "none" } : {}) },
    );
    return;
  }
  if (!before.isDeclared && after.isDeclared && !isTyped(site.base, before)) {
    const kind = after.isRequired ? "required" : "optional";
    const hasDefault = site.revision.outer(after.schema).some((node) => "default" in node);
    // `required` may name a member that is declared only later.
    const isNewlyRequired = after.isRequired && !before.isRequired;
    site.report(
      isNewlyRequired ? "required-property-added" : "property-added",
      before.isRequired
        ? `the ${kind} member ${name} is declared now, it was only named in required`
        : `the ${kind} member ${name} is new${hasDefault ? ", with a default" : ""}`,
      { revision: after.schema, member: name, ...(isOut(after) ? { verdict: "none" } : {}) },
    );
    return;
  }
  compareAccess(site, name, before, after);
  const muted = isOut(before) || isOut(after);
  compareRequired(site, name, before, after, muted);
  const { xml, raw, textual, parts = {} } = site.mode;
  site.descend(before.schema, after.schema, {
    ...(muted ? { muted } : {}),
    ...(isRequest && before.isRequired ? { isAlwaysSent: true } : {}),
    ...(xml === undefined ? {} : { xml: { base: name, revision: name } }),
    ...(textual === "members" ? partMode(parts[name]) : {}),
    // Objects within a form are written as JSON.
    ...(textual === "part" ? { textual: undefined } : {}),
    ...(raw === undefined ? {} : { raw: raw === "members" ? "value" : "no" }),
  });
}

/** How a member of a form is written; by default a list is a repeated member. */
function partMode(written: NonNullable<Mode["parts"]>[string] | undefined): Partial<Mode> {
  if (written === "json") return { textual: undefined };
  if (written === "other") return { textual: "part" };
  return { textual: "part", list: written ?? "apart" };
}

/** Whether undeclared members have a schema of their own, as in a map. */
const isTyped = (reader: SchemaReader, { schema }: Member): boolean =>
  schema.length > 0 && !isNothing(reader.canonical(schema));

function compareRequired(
  site: Site,
  name: string,
  before: Member,
  after: Member,
  muted: boolean,
): void {
  if (before.isRequired === after.isRequired) return;
  const wordOf = ({ isRequired }: Member) => (isRequired ? "required" : "optional");
  const values = { base: wordOf(before), revision: wordOf(after) };
  const at = { base: before.schema, revision: after.schema, member: name, values };
  const quiet = muted ? ({ verdict: "none" } as const) : {};
  if (after.isRequired) {
    const hasDefault = site.revision.outer(after.schema).some((node) => "default" in node);
    const rule = "property-became-required";
    const message = `the member ${name} is required now${hasDefault ? ", with a default" : ""}`;
    site.report(rule, message, { ...at, ...quiet });
  } else {
    site.report("property-became-optional", `the member ${name} is optional now`, {
      ...at,
      ...quiet,
    });
  }
}

function compareAccess(site: Site, name: string, before: Member, after: Member): void {
  const at = { base: before.schema, revision: after.schema, member: name };
  if (!before.isReadOnly && after.isReadOnly) {
    site.report("property-became-read-only", `the member ${name} is read-only now`, at);
  } else if (before.isReadOnly && !after.isReadOnly) {
    const rule = after.isRequired
      ? "required-property-no-longer-read-only"
      : "property-no-longer-read-only";
    site.report(rule, `the member ${name} is no longer read-only`, at);
  }
  if (!before.isWriteOnly && after.isWriteOnly) {
    site.report("property-became-write-only", `the member ${name} is write-only now`, at);
  } else if (before.isWriteOnly && !after.isWriteOnly) {
    site.report("property-no-longer-write-only", `the member ${name} is no longer write-only`, at);
  }
}

/** Members of any name have no name of their own in XML. */
const unnamed = ({ mode }: Site): Pick<Mode, "xml"> =>
  mode.xml === undefined ? {} : { xml: { base: "", revision: "" } };

function compareAdditional(site: Site, base: ObjectAtom, revision: ObjectAtom): void {
  const wasClosed = isNothing(site.base.canonical(base.additional));
  const isNowClosed = isNothing(site.revision.canonical(revision.additional));
  if (wasClosed && isNowClosed) return;
  const at = { base: base.additional, revision: revision.additional };
  if (isNowClosed) {
    site.report("additional-properties-forbidden", "undeclared members are refused now", at);
  } else if (wasClosed) {
    site.report("additional-properties-allowed", "undeclared members are allowed now", at);
  } else site.descend(base.additional, revision.additional, unnamed(site));
}

const hasSameNames = (base: ObjectAtom, revision: ObjectAtom): boolean =>
  base.properties.size === revision.properties.size &&
  [...base.properties.keys()].every((name) => revision.properties.has(name));

function comparePatterns(site: Site, base: ObjectAtom, revision: ObjectAtom): void {
  for (const pattern of new Set([...base.patterns.keys(), ...revision.patterns.keys()])) {
    const before = base.patterns.get(pattern);
    const after = revision.patterns.get(pattern);
    const isChanged = before === undefined || after === undefined || !hasSameNames(base, revision);
    if (isChanged && !isEvaluable(pattern)) {
      const words = `which members match ${pattern} is not known`;
      site.report("could-not-be-judged", words, { base: before ?? [], revision: after ?? [] });
    }
    if (before !== undefined && after !== undefined) {
      site.descend(before, after, unnamed(site));
      continue;
    }
    const [schema, other] = before === undefined ? [after ?? [], base] : [before, revision];
    const reader = before === undefined ? site.base : site.revision;
    // If undeclared members are rejected, a pattern allows some of them.
    const isOtherClosed = isNothing(reader.canonical(other.additional));
    const isRequest = site.mode.direction === "request";
    if (before === undefined) {
      site.report("pattern-property-added", `members that match ${pattern} have a schema now`, {
        revision: schema,
        ...(isOtherClosed ? { verdict: "minor" as const } : {}),
      });
    } else {
      site.report("pattern-property-removed", `members that match ${pattern} lost their schema`, {
        base: schema,
        ...(isOtherClosed ? { verdict: isRequest ? ("major" as const) : ("patch" as const) } : {}),
      });
    }
  }
}

function compareNames(site: Site, base: ObjectAtom, revision: ObjectAtom): void {
  const [before, after] = [namesOf(site.base, base), namesOf(site.revision, revision)];
  if (before.length === 0 && after.length > 0) {
    site.report("property-names-added", "the names of members are limited now", {
      revision: after,
    });
  } else if (before.length > 0 && after.length === 0) {
    site.report("property-names-removed", "the names of members are no longer limited", {
      base: before,
    });
  } else site.descend(before, after, unnamed(site));
}

function compareDependencies(site: Site, base: ObjectAtom, revision: ObjectAtom): void {
  const required = new Set([
    ...base.dependentRequired.keys(),
    ...revision.dependentRequired.keys(),
  ]);
  for (const name of required) {
    const before = base.dependentRequired.get(name) ?? new Set();
    const after = revision.dependentRequired.get(name) ?? new Set();
    // A member that is always required does not depend on others.
    const always = new Set([...base.required, ...revision.required]);
    for (const other of difference(after, before, always)) {
      site.report("dependent-required-added", `the member ${name} requires ${other} beside it now`);
    }
    for (const other of difference(before, after, always)) {
      site.report(
        "dependent-required-removed",
        `the member ${name} no longer requires ${other} beside it`,
      );
    }
  }
  const schemas = new Set([...base.dependentSchemas.keys(), ...revision.dependentSchemas.keys()]);
  for (const name of schemas) {
    const before = base.dependentSchemas.get(name);
    const after = revision.dependentSchemas.get(name);
    if (before === undefined) {
      site.report("dependent-schema-added", `the member ${name} brings a schema with it now`);
    } else if (after === undefined) {
      site.report(
        "dependent-schema-removed",
        `the member ${name} no longer brings a schema with it`,
      );
    } else site.descend(before, after, unnamed(site));
  }
}
