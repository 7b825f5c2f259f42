import { evaluate, foldCase, type Leaf, type Scalar } from "@security-platform/fql";
import type { FieldColumns } from "../rows/columns.ts";
import { indexedValue, isLong, prefixKey, storedText, storedValue } from "../rows/stored-values.ts";
import { columnsFor } from "../statements/read-values.ts";
import type { FieldShape, Shape, ShapeScope, TrigramShape } from "../statements/shapes.ts";
import { partConditions, wordsConditions } from "../words/words.ts";

export function shapeOfLeaf(leaf: Leaf, scope: ShapeScope): Shape {
  const columns = columnsFor(leaf.field, scope);
  const { values } = columns.field;
  // Fields with listed values have no folded text, because the matching values are known in advance.
  const isFolded = "fold" in leaf && leaf.fold;
  const hasColumn = leaf.kind === "text" ? columns.text : !isFolded || columns.fold;
  if (values === undefined || hasColumn) return columnShape(leaf, columns, scope);
  const matching = values.filter((value) => matchesValue(leaf, value));
  return matching.length === 0 ? { kind: "none" } : { kind: "any-of", columns, values: matching };
}

function matchesValue(leaf: Leaf, value: Scalar): boolean {
  return evaluate({ ...leaf, field: "value" }, { value }, { value: { type: "string" } });
}

function columnShape(leaf: Leaf, columns: FieldColumns, scope: ShapeScope): Shape {
  const { dialect, layout } = scope;
  const stored = (value: Scalar) => storedValue(value, columns);
  const indexed = (value: Scalar) => indexedValue(value, columns);
  const range = (from: Scalar, to: Scalar, closed: boolean): Shape => ({
    kind: "range",
    columns,
    from: stored(from),
    to: stored(to),
    closed,
  });
  switch (leaf.kind) {
    case "present":
      return { kind: "present", columns };
    case "equal": {
      const { fold, value } = leaf;
      if (!fold) return { kind: "equal", columns, fold, value: indexed(value) };
      const isShort = columns.field.array === true && !isLong(String(value));
      const short = isShort ? { short: isShort } : {};
      return { kind: "equal", columns, fold, value: stored(value), ...short };
    }
    case "any-of":
      return { kind: "any-of", columns, values: leaf.values.map(indexed) };
    case "compare":
      return { kind: "compare", columns, operator: leaf.operator, value: stored(leaf.value) };
    case "between":
      return range(leaf.from, leaf.to, false);
    case "cidr":
      return range(leaf.low, leaf.high, true);
    case "text":
      return layout.resource.words === columns.name
        ? { kind: "words", ...partConditions(leaf.needle, leaf.words, dialect) }
        : { kind: "text", columns, needle: storedText(leaf.needle) };
    case "words":
      return { kind: "words", ...wordsConditions(leaf.words, leaf.phrases, dialect) };
    case "glob":
      return globShape(leaf, columns, scope);
  }
}

type Glob = Extract<Leaf, { kind: "glob" }>;

function globShape(leaf: Glob, columns: FieldColumns, scope: ShapeScope): FieldShape {
  const { fold } = leaf;
  const parts = leaf.parts.map(storedText);
  const [start = "", end] = parts;
  const prefix = columns.field.array === true && !fold ? prefixKey(start) : start;
  const to = prefix === "" ? null : successor(prefix);
  const range = to === null ? null : { from: prefix, to };
  const decided = range !== null && prefix === start && parts.length === 2 && end === "";
  if (decided) return { kind: "glob", columns, fold, range, pattern: null };
  const pattern = scope.dialect.globPattern(parts);
  return { kind: "glob", columns, fold, range, pattern, ...trigramsOf(leaf, scope) };
}

/** Number of characters from which the start of a text is rare enough to find it by. */
const usefulStart = 3;

/** Three characters that form a trigram in any locale of a database. */
const threeInARow = /[a-z0-9]{3}/i;

/**
 * The part of a shape for an index of trigrams, if there is one and it narrows the search. The index has folded texts:
 * those that match a pattern, match its folded form when they are folded.
 */
function trigramsOf(
  { field, fold, parts }: Glob,
  { dialect, trigrams }: ShapeScope,
): { readonly trigrams?: TrigramShape } {
  const index = trigrams?.get(field);
  // The index of the field's order finds the start of a text with less work.
  const hasStart = (parts[0] ?? "").length >= usefulStart;
  if (index === undefined || hasStart) return {};
  if (!parts.some((part) => threeInARow.test(part))) return {};
  const pattern = (texts: readonly string[]) => dialect.globPattern(texts.map(storedText));
  const folded = pattern(parts.map(foldCase));
  return { trigrams: { index, folded, exact: fold ? null : pattern(parts) } };
}

/** The first text after all texts with the prefix. Null if there is none. */
function successor(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10_ffff) continue;
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return null;
}
