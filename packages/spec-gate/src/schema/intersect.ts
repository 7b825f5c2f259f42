import { canonicalText } from "../json.ts";
import {
  anything,
  nothing,
  tooComplex,
  type ArrayAtom,
  type Atom,
  type Bound,
  type Canonical,
  type Conjunction,
  type NumberAtom,
  type ObjectAtom,
  type StringAtom,
} from "./canonical.ts";
import { childOf } from "./members.ts";
import { order } from "../numeric.ts";

/** Maximum number of alternatives that two parts of a schema combine to. */
const mostCombined = 1_000;

/** The intersection of two schemas. */
export function intersect(left: Canonical, right: Canonical): Canonical {
  if (left === anything) return right;
  if (right === anything) return left;
  if (left === nothing || right === nothing) return nothing;
  if (left.isTooComplex === true || right.isTooComplex === true) return tooComplex;
  const atoms: Atom[] = [];
  for (const a of left.atoms) {
    for (const b of right.atoms) {
      const both = intersectAtoms(a, b);
      if (both !== undefined) atoms.push(both);
      const most = Math.max(mostCombined, left.atoms.length, right.atoms.length);
      if (atoms.length > most) return tooComplex;
    }
  }
  const open = left.open === true || right.open === true;
  const choices = [...(left.choices ?? []), ...(right.choices ?? [])];
  return { nullable: left.nullable && right.nullable, open, atoms, choices };
}

function intersectAtoms(a: Atom, b: Atom): Atom | undefined {
  if (a.type !== b.type) return undefined;
  const values = intersectValues(a, b);
  if (values?.length === 0) return undefined;
  const common = {
    values,
    conditions: [...a.conditions, ...b.conditions],
    label: a.label ?? b.label,
    isTagged: a.isTagged || b.isTagged,
  };
  if (a.type === "number" && b.type === "number") return { ...numbers(a, b), ...common };
  if (a.type === "string" && b.type === "string") return { ...strings(a, b), ...common };
  if (a.type === "array" && b.type === "array") return { ...arrays(a, b), ...common };
  if (a.type === "object" && b.type === "object") return { ...objects(a, b), ...common };
  return { ...a, ...common };
}

function intersectValues(a: Atom, b: Atom): Atom["values"] {
  if (a.values === undefined || b.values === undefined) return a.values ?? b.values;
  const texts = new Set(b.values.map(canonicalText));
  return a.values.filter((value) => texts.has(canonicalText(value)));
}

const numbers = (a: NumberAtom, b: NumberAtom): NumberAtom => ({
  ...a,
  integer: a.integer || b.integer,
  minimum: tighter(a.minimum, b.minimum, 1),
  maximum: tighter(a.maximum, b.maximum, -1),
  multiplesOf: distinct([...a.multiplesOf, ...b.multiplesOf]),
  formats: distinct([...a.formats, ...b.formats]),
});

/** `sign` is -1 for upper limits. */
export function tighter(
  a: Bound | undefined,
  b: Bound | undefined,
  sign: 1 | -1,
): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const step = sign * order(a.value, b.value);
  if (step !== 0) return step > 0 ? a : b;
  return a.exclusive ? a : b;
}

const strings = (a: StringAtom, b: StringAtom): StringAtom => ({
  ...a,
  minLength: Math.max(a.minLength, b.minLength),
  maxLength: Math.min(a.maxLength, b.maxLength),
  patterns: distinct([...a.patterns, ...b.patterns]),
  formats: distinct([...a.formats, ...b.formats]),
  contentEncoding: a.contentEncoding ?? b.contentEncoding,
  contentMediaType: a.contentMediaType ?? b.contentMediaType,
  contentSchema: [...a.contentSchema, ...b.contentSchema],
});

function arrays(a: ArrayAtom, b: ArrayAtom): ArrayAtom {
  const length = Math.max(a.prefix.length, b.prefix.length);
  const prefix = Array.from({ length }, (_, index) => [
    ...(a.prefix[index] ?? a.rest),
    ...(b.prefix[index] ?? b.rest),
  ]);
  return {
    ...a,
    prefix,
    rest: [...a.rest, ...b.rest],
    minItems: Math.max(a.minItems, b.minItems),
    maxItems: Math.min(a.maxItems, b.maxItems),
    uniqueItems: a.uniqueItems || b.uniqueItems,
    contains: [...a.contains, ...b.contains],
  };
}

function objects(a: ObjectAtom, b: ObjectAtom): ObjectAtom {
  const properties = new Map<string, Conjunction>();
  for (const name of [...a.properties.keys(), ...b.properties.keys()]) {
    if (!properties.has(name)) properties.set(name, [...childOf(a, name), ...childOf(b, name)]);
  }
  return {
    ...a,
    properties,
    required: new Set([...a.required, ...b.required]),
    patterns: mergeMaps(a.patterns, b.patterns, (left, right) => [...left, ...right]),
    additional: [...a.additional, ...b.additional],
    names: [...a.names, ...b.names],
    minProperties: Math.max(a.minProperties, b.minProperties),
    maxProperties: Math.min(a.maxProperties, b.maxProperties),
    dependentRequired: mergeMaps(
      a.dependentRequired,
      b.dependentRequired,
      (left, right) => new Set([...left, ...right]),
    ),
    dependentSchemas: mergeMaps(a.dependentSchemas, b.dependentSchemas, (left, right) => [
      ...left,
      ...right,
    ]),
  };
}

function mergeMaps<Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  merge: (left: Value, right: Value) => Value,
): ReadonlyMap<string, Value> {
  if (b.size === 0) return a;
  const merged = new Map(a);
  for (const [key, value] of b) {
    const left = merged.get(key);
    merged.set(key, left === undefined ? value : merge(left, value));
  }
  return merged;
}

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];
