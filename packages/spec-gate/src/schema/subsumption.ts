import {
  anything,
  type ArrayAtom,
  type Atom,
  type Bound,
  type Canonical,
  type Condition,
  type Conjunction,
  type NumberAtom,
  type ObjectAtom,
  type StringAtom,
} from "./canonical.ts";
import { acceptsAtom, type Schemas } from "./accepts.ts";
import { areFormatsWithin, impliedFormats, patternsOfFormats } from "./formats.ts";
import { childOf } from "./members.ts";
import { boundsOf, impliedLengths, mostItems } from "./implied.ts";
import { countOf, order, plus } from "../numeric.ts";
import { isPatternWithin, patternOf } from "./pattern.ts";
import type { Json } from "../json.ts";
import { isSameWriting } from "./same-writing.ts";
import type { SchemaReader } from "./schema-reader.ts";

/**
 * Whether schemas of one document are subsets of schemas of another. Returns true only if that is
 * proven. Recursive schemas are equal if no part of them differs.
 */
export class Subsumption {
  readonly #narrow: SchemaReader;
  readonly #wide: SchemaReader;
  readonly #results = new Map<string, boolean>();
  readonly #assumed: string[] = [];
  #reverse: Subsumption;
  /** The wide schemas, of which only what is certain counts. */
  readonly #proven: Schemas;
  readonly #narrowSchemas: Schemas;

  constructor(narrow: SchemaReader, wide: SchemaReader, reverse?: Subsumption) {
    this.#narrow = narrow;
    this.#wide = wide;
    this.#proven = {
      canonical: (schema) => wide.canonical(schema),
      step: () => wide.step(),
      whenUnknown: false,
    };
    this.#narrowSchemas = {
      canonical: (schema) => narrow.canonical(schema),
      step: () => narrow.step(),
    };
    this.#reverse = reverse ?? new Subsumption(wide, narrow, this);
  }

  get reverse(): Subsumption {
    return this.#reverse;
  }

  within(narrow: Conjunction, wide: Conjunction): boolean {
    const key = `${this.#narrow.key(narrow)}|${this.#wide.key(wide)}`;
    const cachedResult = this.#results.get(key);
    if (cachedResult !== undefined) return cachedResult;
    this.#results.set(key, true);
    const mark = this.#assumed.length;
    this.#assumed.push(key);
    const result = this.#orForget(mark, () => {
      const [before, after] = [this.#narrow.canonical(narrow), this.#wide.canonical(wide)];
      return before.isTooComplex === true || after.isTooComplex === true
        ? isSameWriting([this.#narrow.document, this.#wide.document], narrow, wide)
        : this.#decide(before, after);
    });
    if (!result) {
      // Results found in the meantime may depend on the assumption that this one is true.
      for (const each of this.#assumed.splice(mark)) this.#results.delete(each);
      this.#results.set(key, false);
    }
    return result;
  }

  /** Runs a decision; if it fails, what was found under its assumptions is not kept. */
  #orForget(mark: number, decide: () => boolean): boolean {
    try {
      return decide();
    } catch (error) {
      for (const each of this.#assumed.splice(mark)) this.#results.delete(each);
      throw error;
    }
  }

  #decide(narrow: Canonical, wide: Canonical): boolean {
    if (narrow.nullable && !wide.nullable) return false;
    if (narrow.open === true && wide.open !== true && !this.#allowsAll(wide)) return false;
    return narrow.atoms.every((atom) => wide.atoms.some((other) => this.atomWithin(atom, other)));
  }

  #allowsAll(wide: Canonical): boolean {
    return (
      wide.nullable &&
      anything.atoms.every((atom) => wide.atoms.some((other) => this.atomWithin(atom, other)))
    );
  }

  atomWithin(a: Atom, b: Atom): boolean {
    if (a.type !== b.type) return false;
    this.#wide.step();
    if (a.values !== undefined) {
      // Its own patterns have been applied to the values already.
      const other =
        a.type === "string" && b.type === "string"
          ? { ...b, patterns: b.patterns.filter((pattern) => !a.patterns.includes(pattern)) }
          : b;
      return a.values.every((value) => acceptsAtom(this.#proven, other, value));
    }
    if (b.values !== undefined) return this.#isListedIn(a, b.values);
    if (!this.conditionsWithin(a, b)) return false;
    if (a.type === "number" && b.type === "number") return numberWithin(a, b);
    if (a.type === "string" && b.type === "string") return this.#stringWithin(a, b);
    if (a.type === "array" && b.type === "array") return this.#arrayWithin(a, b);
    if (a.type === "object" && b.type === "object") return this.#objectWithin(a, b);
    return true;
  }

  /** Whether limits allow only listed values: whole numbers of a range, or texts of a pattern. */
  #isListedIn(a: Atom, values: readonly Json[]): boolean {
    if (a.type === "number") {
      const { integer, minimum, maximum } = a;
      if (!integer || minimum === undefined || maximum === undefined) return false;
      const count = countOf(minimum.value, maximum.value);
      if (count > values.length) return false;
      const listed = new Set<Json>(values);
      return Array.from({ length: Math.max(count, 0) }, (_, index) =>
        plus(minimum.value, index),
      ).every((value) => listed.has(value) || !acceptsAtom(this.#narrowSchemas, a, value));
    }
    const texts = values.filter((value) => typeof value === "string");
    const isListable = texts.length > 0 && texts.length <= mostListed;
    return a.type === "string" && isListable && arePatternsWithin(a.patterns, [patternOf(texts)]);
  }

  /** Whether the first conditions imply the second. */
  conditionsWithin(a: Atom, b: Atom): boolean {
    return b.conditions.every(
      (condition) => this.#isImplied(condition, a.conditions) || this.#isExcluded(condition, a),
    );
  }

  /** Whether all values that a `not` excludes are outside of an alternative anyway. */
  #isExcluded(condition: Condition, a: Atom): boolean {
    if (condition.kind !== "not") return false;
    const excluded = this.#wide.canonical(condition.schema);
    if (excluded.isTooComplex === true || excluded.open === true) return false;
    return excluded.atoms
      .filter(({ type }) => type === a.type)
      .every(
        ({ values }) =>
          values !== undefined &&
          !values.some((value) => acceptsAtom(this.#narrowSchemas, a, value)),
      );
  }

  #isImplied(condition: Condition, premises: readonly Condition[]): boolean {
    return premises.some((each) => {
      if (condition.kind === "not") {
        return each.kind === "not" && this.#reverse.within(condition.schema, each.schema);
      }
      return (
        each.kind === "if" &&
        this.within(each.schema, condition.schema) &&
        this.#reverse.within(condition.schema, each.schema) &&
        this.within(each.whenTrue, condition.whenTrue) &&
        this.within(each.whenFalse, condition.whenFalse)
      );
    });
  }

  #stringWithin(a: StringAtom, b: StringAtom): boolean {
    const { least, largest } = impliedLengths(a);
    return (
      Math.max(a.minLength, least) >= b.minLength &&
      Math.min(a.maxLength, largest) <= b.maxLength &&
      areFormatsWithin(a.formats, b.formats) &&
      arePatternsWithin([...a.patterns, ...patternsOfFormats(a.formats)], b.patterns) &&
      (b.contentEncoding === undefined || a.contentEncoding === b.contentEncoding) &&
      (b.contentMediaType === undefined || a.contentMediaType === b.contentMediaType) &&
      this.within(a.contentSchema, b.contentSchema)
    );
  }

  #arrayWithin(a: ArrayAtom, b: ArrayAtom): boolean {
    const length = Math.min(Math.max(a.prefix.length, b.prefix.length), a.maxItems);
    return (
      a.minItems >= b.minItems &&
      Math.min(a.maxItems, mostItems(this.#narrow, a)) <= b.maxItems &&
      (a.uniqueItems || !b.uniqueItems || a.maxItems <= 1) &&
      Array.from({ length }).every((_, index) =>
        this.within(a.prefix[index] ?? a.rest, b.prefix[index] ?? b.rest),
      ) &&
      (a.maxItems <= length || this.within(a.rest, b.rest)) &&
      b.contains.every((wide) =>
        a.contains.some(
          (narrow) =>
            narrow.minimum >= wide.minimum &&
            narrow.maximum <= wide.maximum &&
            this.within(narrow.schema, wide.schema) &&
            (wide.maximum === Infinity || this.#reverse.within(wide.schema, narrow.schema)),
        ),
      )
    );
  }

  #objectWithin(a: ObjectAtom, b: ObjectAtom): boolean {
    const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
    const patterns = new Set([...a.patterns.keys(), ...b.patterns.keys()]);
    return (
      [...b.required].every((name) => a.required.has(name)) &&
      Math.max(a.minProperties, a.required.size) >= b.minProperties &&
      a.maxProperties <= b.maxProperties &&
      [...names].every((name) => this.within(childOf(a, name), childOf(b, name))) &&
      [...patterns].every((pattern) =>
        this.within(
          a.patterns.get(pattern) ?? a.additional,
          b.patterns.get(pattern) ?? b.additional,
        ),
      ) &&
      this.within(a.additional, b.additional) &&
      this.within(a.names, b.names) &&
      [...b.dependentRequired].every(([name, others]) =>
        [...others].every(
          (other) => a.required.has(other) || a.dependentRequired.get(name)?.has(other) === true,
        ),
      ) &&
      [...b.dependentSchemas].every(([name, schema]) =>
        this.within(a.dependentSchemas.get(name) ?? [], schema),
      )
    );
  }
}

function numberWithin(a: NumberAtom, b: NumberAtom): boolean {
  return (
    (a.integer || !b.integer || a.multiplesOf.some(Number.isInteger)) &&
    isTighter(boundsOf(a).minimum, b.minimum, 1) &&
    isTighter(boundsOf(a).maximum, b.maximum, -1) &&
    areMultiplesWithin(a, b) &&
    areFormatsWithin([...a.formats, ...impliedFormats(a)], b.formats)
  );
}

/** Whether a limit is at least as strict as another; `sign` is -1 for upper limits. */
export function isTighter(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): boolean {
  if (b === undefined) return true;
  if (a === undefined) return false;
  const step = sign * order(a.value, b.value);
  return step > 0 || (step === 0 && (a.exclusive || !b.exclusive));
}

export const areMultiplesWithin = (a: NumberAtom, b: NumberAtom): boolean =>
  b.multiplesOf.every((step) =>
    [...a.multiplesOf, ...(a.integer ? [1] : [])].some((own) =>
      Number.isInteger(Number((own / step).toPrecision(12))),
    ),
  );

/** Longer lists make large automata. */
const mostListed = 100;

/** Whether strings that match all the first patterns match all the second. */
export const arePatternsWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
  wide.every((each) => narrow.some((own) => isPatternWithin(own, each)));
