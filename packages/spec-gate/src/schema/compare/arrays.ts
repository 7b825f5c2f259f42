import type { ArrayAtom } from "../canonical.ts";
import { mostItems } from "../implied.ts";
import type { SchemaReader } from "../schema-reader.ts";
import { compareLower, compareUpper, type Limit } from "./limits.ts";
import type { Site } from "./site.ts";

export function compareArrays(site: Site, base: ArrayAtom, revision: ArrayAtom): void {
  const words = "number of items";
  const largest = (reader: SchemaReader, atom: ArrayAtom): Limit => ({
    own: atom.maxItems,
    implied: mostItems(reader, atom),
  });
  const fewest = ({ minItems, contains }: ArrayAtom): Limit => ({
    own: minItems,
    implied: Math.max(
      site.mode.isEmptyAbsent === true ? 1 : 0,
      ...contains.map(({ minimum }) => minimum),
    ),
  });
  compareUpper(
    site,
    "max-items",
    `the largest ${words}`,
    largest(site.base, base),
    largest(site.revision, revision),
  );
  compareLower(site, "min-items", `the smallest ${words}`, fewest(base), fewest(revision));
  if (!base.uniqueItems && revision.uniqueItems && base.maxItems > 1) {
    site.report("unique-items-added", "items must differ from each other now");
  }
  if (base.uniqueItems && !revision.uniqueItems && revision.maxItems > 1) {
    site.report("unique-items-removed", "items may be equal to each other now");
  }
  // Items that one of the lists cannot have are not compared.
  const most = Math.min(base.maxItems, revision.maxItems);
  const length = Math.max(base.prefix.length, revision.prefix.length);
  for (let index = 0; index < Math.min(length, most); index++) {
    site.descend(base.prefix[index] ?? base.rest, revision.prefix[index] ?? revision.rest);
  }
  if (most > length) site.descend(base.rest, revision.rest);
  compareContains(site, base, revision);
}

const containsBounds = [
  ["min-contains", "minContains", "minimum"],
  ["max-contains", "maxContains", "maximum"],
] as const;

function compareContains(site: Site, base: ArrayAtom, revision: ArrayAtom): void {
  const count = Math.max(base.contains.length, revision.contains.length);
  for (let index = 0; index < count; index++) {
    const [before, after] = [base.contains[index], revision.contains[index]];
    if (before === undefined) {
      site.report("contains-added", "lists must contain certain items now");
    } else if (after === undefined) {
      site.report("contains-removed", "lists no longer need to contain certain items");
    } else {
      const { subsumption } = site;
      const isSame =
        subsumption.within(before.schema, after.schema) &&
        subsumption.reverse.within(after.schema, before.schema);
      if (!isSame) site.report("contains-changed", "lists must contain other items now");
      for (const [name, keyword, bound] of containsBounds) {
        const [from, to] = [before[bound], after[bound]];
        if (from === to) continue;
        const change = to > from ? "raised" : "lowered";
        site.report(`${name}-${change}`, `${keyword} was ${change} from ${from} to ${to}`);
      }
    }
  }
}
