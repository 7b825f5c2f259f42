import { difference } from "../../difference.ts";
import { canonicalText, shown, type Json } from "../../json.ts";
import type { Atom, NumberAtom, StringAtom } from "../canonical.ts";
import { isEvaluable } from "../expression.ts";
import { areFormatsWithin, impliedFormats, patternsOfFormats } from "../formats.ts";
import { boundsOf, impliedLengths } from "../implied.ts";
import { arePatternsWithin, areMultiplesWithin } from "../subsumption.ts";
import { compareBounds, compareLower, compareUpper, isSameBound } from "./limits.ts";
import type { Site } from "./site.ts";

/** Compares enumerations; returns whether the comparison is complete. */
export function compareValues(site: Site, base: Atom, revision: Atom): boolean {
  const { values: before } = base;
  const { values: after } = revision;
  if (before === undefined && after === undefined) return false;
  const [pattern] = unknownPatterns(base, revision);
  if (pattern !== undefined) {
    const values = list(before ?? after);
    site.report("could-not-be-judged", `whether ${pattern} allows ${values} is not known`);
    return true;
  }
  const isOneListed = before === undefined || after === undefined;
  const isWithin = isOneListed && site.subsumption.atomWithin(base, revision);
  const isWider = isOneListed && site.subsumption.reverse.atomWithin(revision, base);
  // Other limits may allow exactly the listed values.
  if (isWithin && isWider) return true;
  if (before === undefined && !isWider) {
    site.report("values-changed", `only ${list(after)} ${are(after)} allowed now, not all before`);
    return true;
  }
  if (before === undefined) {
    site.report("enumeration-added", `only ${list(after)} ${are(after)} allowed now`);
    return true;
  }
  if (after === undefined) {
    if (!isWithin) {
      site.report("values-changed", `listed values ${list(before)} gave way to other values`);
    } else site.report("enumeration-removed", `values are no longer limited to ${list(before)}`);
    return true;
  }
  const removed = without(before, after);
  const added = without(after, before);
  if (before.length === 1 && after.length === 1 && removed.length === 1) {
    site.report("constant-changed", `the only value was ${list(before)} and is ${list(after)} now`);
    return true;
  }
  if (removed.length > 0) {
    site.report("enum-value-removed", `${valuesOf(removed)} ${are(removed)} no longer allowed`);
  }
  if (added.length > 0) site.report("enum-value-added", `${valuesOf(added)} ${are(added)} new`);
  return true;
}

/** Patterns of one side that cannot be evaluated for the values of the other one. */
function unknownPatterns(base: Atom, revision: Atom): readonly string[] {
  if (base.type !== "string" || revision.type !== "string") return [];
  const [before, after] = [new Set(base.patterns), new Set(revision.patterns)];
  return [...difference(before, after), ...difference(after, before)].filter(
    (pattern) => !isEvaluable(pattern),
  );
}

function without(values: readonly Json[], others: readonly Json[]): readonly Json[] {
  const texts = new Set(others.map(canonicalText));
  return values.filter((value) => !texts.has(canonicalText(value)));
}

const mostListed = 10;

const list = (listed: readonly Json[] | undefined): string => {
  const all = listed ?? [];
  const text = all.slice(0, mostListed).map(shown).join(", ");
  return all.length > mostListed ? `${text} and ${all.length - mostListed} more` : text;
};

const valuesOf = (all: readonly Json[]): string =>
  `the value${all.length === 1 ? "" : "s"} ${list(all)}`;

const are = (values: readonly Json[] | undefined): string => (values?.length === 1 ? "is" : "are");

export function compareNumbers(site: Site, base: NumberAtom, revision: NumberAtom): void {
  if (!base.integer && revision.integer) {
    site.report("type-narrowed", "the type was narrowed from number to integer");
  }
  if (base.integer && !revision.integer) {
    site.report("type-widened", "the type was widened from integer to number");
  }
  const [bounds, otherBounds] = [boundsOf(base), boundsOf(revision)];
  for (const name of ["minimum", "maximum"] as const) {
    // The format may imply the limit.
    if (!isSameBound(bounds[name], otherBounds[name]))
      compareBounds(site, name, base[name], revision[name]);
  }
  const narrower = areMultiplesWithin(revision, base);
  const wider = areMultiplesWithin(base, revision);
  if (!narrower || !wider) {
    const rule = narrower
      ? "multiple-of-narrowed"
      : wider
        ? "multiple-of-widened"
        : "multiple-of-changed";
    const text = (steps: readonly number[]) => steps.join(" and ") || "nothing";
    site.report(
      rule,
      `multipleOf was ${text(base.multiplesOf)} and is ${text(revision.multiplesOf)}`,
    );
  }
  // Integers are int64 with and without the format.
  const isWhole = base.integer || revision.integer;
  const limiting = ({ formats }: NumberAtom): readonly string[] =>
    isWhole ? formats.filter((format) => format !== "int64") : formats;
  compareFormats(
    site,
    limiting(base),
    limiting(revision),
    impliedFormats(base),
    impliedFormats(revision),
  );
}

export function compareStrings(site: Site, base: StringAtom, revision: StringAtom): void {
  const [before, after] = [lengthsOf(base), lengthsOf(revision)];
  compareUpper(site, "max-length", "the largest length", before.most, after.most);
  compareLower(site, "min-length", "the smallest length", before.fewest, after.fewest);
  comparePatterns(site, base, revision);
  compareFormats(site, base.formats, revision.formats);
  compareContent(site, base, revision);
}

/** The limits of a length, and those that patterns and formats imply. */
function lengthsOf(atom: StringAtom) {
  const { least, largest } = impliedLengths(atom);
  return {
    fewest: { own: atom.minLength, implied: least },
    most: { own: atom.maxLength, implied: largest },
  };
}

function comparePatterns(
  site: Site,
  { patterns: base, formats }: StringAtom,
  { patterns: revision, formats: formatsNow }: StringAtom,
): void {
  if (canonicalText(base.toSorted()) === canonicalText(revision.toSorted())) return;
  const [before, after] = [base.join(" and "), revision.join(" and ")];
  const narrower = arePatternsWithin([...revision, ...patternsOfFormats(formatsNow)], base);
  const wider = arePatternsWithin([...base, ...patternsOfFormats(formats)], revision);
  if (narrower && wider) return;
  const change = `from ${before} to ${after}`;
  if (base.length === 0) site.report("pattern-added", `strings must match ${after} now`);
  else if (revision.length === 0) {
    site.report("pattern-removed", `strings no longer need to match ${before}`);
  } else if (narrower) site.report("pattern-narrowed", `the pattern was narrowed ${change}`);
  else if (wider) site.report("pattern-widened", `the pattern was widened ${change}`);
  else site.report("pattern-changed", `the pattern was changed ${change}`);
}

function compareFormats(
  site: Site,
  base: readonly string[],
  revision: readonly string[],
  impliedBefore: readonly string[] = [],
  impliedAfter: readonly string[] = [],
): void {
  const narrower = areFormatsWithin([...revision, ...impliedAfter], base);
  const wider = areFormatsWithin([...base, ...impliedBefore], revision);
  if (narrower && wider) return;
  const [before, after] = [base.join(" and "), revision.join(" and ")];
  const change = `from ${before} to ${after}`;
  if (base.length === 0) site.report("format-added", `the format is ${after} now`);
  else if (revision.length === 0) {
    site.report("format-removed", `the format ${before} is no longer declared`);
  } else if (narrower) site.report("format-narrowed", `the format was narrowed ${change}`);
  else if (wider) site.report("format-widened", `the format was widened ${change}`);
  else site.report("format-changed", `the format was changed ${change}`);
}

function compareContent(site: Site, base: StringAtom, revision: StringAtom): void {
  if (base.contentEncoding !== revision.contentEncoding) {
    site.report(
      "content-encoding-changed",
      `contentEncoding was ${shown(base.contentEncoding)} and is ${shown(revision.contentEncoding)}`,
    );
  }
  if (base.contentMediaType !== revision.contentMediaType) {
    site.report(
      "content-media-type-changed",
      `contentMediaType was ${shown(base.contentMediaType)} and is ${shown(revision.contentMediaType)}`,
    );
  }
  const [before, after] = [base.contentSchema, revision.contentSchema];
  if (before.length === 0 && after.length > 0) {
    site.report("content-schema-added", "the content of the string has a schema now");
  } else if (before.length > 0 && after.length === 0) {
    site.report("content-schema-removed", "the content of the string no longer has a schema");
  } else site.descend(before, after);
}
