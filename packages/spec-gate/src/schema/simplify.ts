import { canonicalText, type Json } from "../json.ts";
import { acceptsAtom, type Schemas } from "./accepts.ts";
import {
  anything,
  nothing,
  type Atom,
  type Bound,
  type Canonical,
  type NumberAtom,
  type ObjectAtom,
} from "./canonical.ts";
import { commonStep, countOf, order, plus, type Numeric } from "../numeric.ts";
import { stepped } from "./implied.ts";
import { tighter } from "./intersect.ts";

/** Merges enumerations of one type and removes values that another alternative allows. */
export function simplify(schemas: Schemas, schema: Canonical): Canonical {
  const { nullable, open = false, choices = [] } = schema;
  const atoms = schema.atoms.flatMap((atom) => settle(schemas, atom));
  if (atoms.length < 2) {
    return !nullable && !open && atoms.length === 0 ? nothing : { nullable, open, atoms, choices };
  }
  const general = atoms.filter(({ values }) => values === undefined);
  const listed = atoms.filter((atom) => atom.values !== undefined && atom.type !== "object");
  const kept: Atom[] = joined(dropCovered(general));
  kept.push(...atoms.filter((atom) => atom.values !== undefined && atom.type === "object"));
  for (const type of new Set(listed.map((atom) => atom.type))) {
    const group = listed.filter((atom) => atom.type === type);
    const values = distinct(group.flatMap((atom) => atom.values ?? [])).filter(
      (value) => !general.some((atom) => atom.type === type && acceptsAtom(schemas, atom, value)),
    );
    const [first] = group;
    if (values.length === 0 || first === undefined) continue;
    const isWhole = type === "boolean" && values.length === 2;
    kept.push({ ...first, values: isWhole ? undefined : values });
  }
  return { nullable, open, atoms: kept, choices };
}

/** Applies the other constraints of an enumeration to its values. */
function settle(schemas: Schemas, atom: Atom): readonly Atom[] {
  const given = atom.values ?? fewValues(atom);
  if (given === undefined) {
    if (atom.type === "object") return [withImplied(atom)];
    return [atom.type === "number" ? wholeBounds(mergedSteps(atom)) : atom];
  }
  const values = given.filter((value) => acceptsAtom(schemas, atom, value));
  if (values.length === 0) return [];
  // A list of both truth values is no limit.
  const isWhole = atom.type === "boolean" && values.length === 2;
  return [{ ...atom, values: isWhole ? undefined : values, conditions: [] }];
}

/** More values are not tried one by one. */
const mostTried = 100;

/** The values of a short range from which a condition may exclude some. */
function fewValues(atom: Atom): readonly Json[] | undefined {
  if (atom.conditions.length === 0) return undefined;
  if (atom.type === "boolean") return [true, false];
  if (atom.type !== "number" || !atom.integer) return undefined;
  const { minimum, maximum } = wholeBounds(atom);
  if (minimum === undefined || maximum === undefined) return undefined;
  const count = countOf(minimum.value, maximum.value);
  return count > mostTried
    ? undefined
    : Array.from({ length: Math.max(count, 0) }, (_, index) => plus(minimum.value, index));
}

/** With the members that required members require. */
function withImplied(atom: ObjectAtom): ObjectAtom {
  if (atom.dependentRequired.size === 0) return atom;
  const dependentRequired = new Map(
    [...atom.dependentRequired.keys()].flatMap((name) => {
      const others = new Set([name]);
      // The set grows while it is read.
      for (const each of others) {
        for (const other of atom.dependentRequired.get(each) ?? []) others.add(other);
      }
      others.delete(name);
      return others.size === 0 ? [] : [[name, others] as const];
    }),
  );
  const required = new Set(atom.required);
  // The set grows while it is read.
  for (const name of required) {
    for (const other of atom.dependentRequired.get(name) ?? []) required.add(other);
  }
  return { ...atom, required, dependentRequired };
}

/** Limits of integers and of multiples, with the limit included: above 0 is from 1 on. */
const wholeBounds = (atom: NumberAtom): NumberAtom => ({
  ...atom,
  minimum: stepped(atom, atom.minimum, 1),
  maximum: stepped(atom, atom.maximum, -1),
});

/** Ranges of numbers that touch are one range. */
function joined(atoms: readonly Atom[]): Atom[] {
  const kept: Atom[] = [];
  const byStart = atoms.toSorted((left, right) => order(startOf(left), startOf(right)));
  for (const atom of byStart) {
    const index = kept.findIndex((other) => touches(other, atom));
    const other = kept[index];
    if (other?.type !== "number" || atom.type !== "number") kept.push(atom);
    else kept[index] = { ...other, maximum: higher(other.maximum, atom.maximum) };
  }
  return kept;
}

const startOf = (atom: Atom): Numeric =>
  atom.type === "number" ? (atom.minimum?.value ?? -Infinity) : -Infinity;

const restOf = (atom: NumberAtom): string =>
  JSON.stringify([atom.integer, atom.multiplesOf, atom.formats]);

function touches(left: Atom, right: Atom): boolean {
  if (left.type !== "number" || right.type !== "number") return false;
  if (left.conditions.length + right.conditions.length > 0) return false;
  if (left.isTagged || right.isTagged || restOf(left) !== restOf(right)) return false;
  const { maximum } = left;
  const { minimum } = right;
  if (maximum === undefined || minimum === undefined) return true;
  const gap = order(minimum.value, maximum.value);
  return left.integer
    ? order(minimum.value, plus(maximum.value, 1)) <= 0
    : gap < 0 || (gap === 0 && !(maximum.exclusive && minimum.exclusive));
}

function higher(left: Bound | undefined, right: Bound | undefined): Bound | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (left.value === right.value) return left.exclusive ? right : left;
  return left.value > right.value ? left : right;
}

/** Multiples of several numbers are those of one: integers that are multiples of 2.5 are those of 5. */
function mergedSteps(atom: NumberAtom): NumberAtom {
  const { integer, multiplesOf } = atom;
  if (multiplesOf.length === 0) return atom;
  const step = commonStep(integer ? [1, ...multiplesOf] : multiplesOf);
  if (step === undefined) return atom;
  return {
    ...atom,
    multiplesOf: integer && step === 1 ? [] : [step],
    integer: integer || Number.isInteger(step),
  };
}

/**
 * What is left of an alternative without the ranges of numbers, lengths of texts and numbers of items
 * that are excluded; undefined if something else is excluded, too.
 */
export function complement(atom: Atom, excluded: readonly Atom[]): readonly Atom[] | undefined {
  let rest: readonly Atom[] = [atom];
  for (const other of excluded) {
    const parts: Atom[] = [];
    for (const each of rest) {
      const outside = outsideOf(each, other);
      if (outside === undefined) return undefined;
      parts.push(...outside);
    }
    rest = parts;
  }
  return rest;
}

function outsideOf(atom: Atom, other: Atom): readonly Atom[] | undefined {
  if (atom.type === "number" && other.type === "number") {
    const isWhole = !other.integer || atom.integer;
    if (!isWhole || !isOpen({ ...other, integer: false, minimum: undefined, maximum: undefined })) {
      return undefined;
    }
    const below = other.minimum && {
      value: other.minimum.value,
      exclusive: !other.minimum.exclusive,
    };
    const above = other.maximum && {
      value: other.maximum.value,
      exclusive: !other.maximum.exclusive,
    };
    return [
      ...(below ? [{ ...atom, maximum: tighter(atom.maximum, below, -1) }] : []),
      ...(above ? [{ ...atom, minimum: tighter(atom.minimum, above, 1) }] : []),
    ].filter(({ minimum, maximum }) => !isEmptyRange(minimum, maximum));
  }
  if (atom.type === "string" && other.type === "string") {
    if (!isOpen({ ...other, minLength: 0, maxLength: Infinity })) return undefined;
    return [
      { ...atom, maxLength: Math.min(atom.maxLength, other.minLength - 1) },
      { ...atom, minLength: Math.max(atom.minLength, other.maxLength + 1) },
    ].filter(({ minLength, maxLength }) => minLength <= maxLength && minLength !== Infinity);
  }
  if (atom.type === "array" && other.type === "array") {
    if (!isOpen({ ...other, minItems: 0, maxItems: Infinity })) return undefined;
    return [
      { ...atom, maxItems: Math.min(atom.maxItems, other.minItems - 1) },
      { ...atom, minItems: Math.max(atom.minItems, other.maxItems + 1) },
    ].filter(({ minItems, maxItems }) => minItems <= maxItems && minItems !== Infinity);
  }
  return undefined;
}

function isEmptyRange(minimum: Bound | undefined, maximum: Bound | undefined): boolean {
  if (minimum === undefined || maximum === undefined) return false;
  const gap = order(minimum.value, maximum.value);
  return gap > 0 || (gap === 0 && (minimum.exclusive || maximum.exclusive));
}

/** Whether an alternative allows every value of its type. */
export const isOpen = (atom: Atom): boolean =>
  anything.atoms.some((any) => any.type === atom.type && sameConstraints(any, atom));

const sameConstraints = (any: Atom, atom: Atom): boolean =>
  atom.values === undefined &&
  atom.conditions.length === 0 &&
  Object.entries(any).every(([key, value]) => {
    const own = (atom as unknown as Record<string, unknown>)[key];
    if (key === "label" || key === "isTagged" || own === value) return true;
    if (Array.isArray(own)) return own.length === 0;
    return own instanceof Map || own instanceof Set ? own.size === 0 : false;
  });

/** If one alternative allows every value of a type, the others of that type are redundant. */
function dropCovered(atoms: readonly Atom[]): Atom[] {
  const open = new Map(atoms.filter(isOpen).map((atom) => [atom.type, atom]));
  return atoms.filter((atom) => {
    const whole = open.get(atom.type);
    return whole === undefined || whole === atom;
  });
}

export function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [canonicalText(value), value])).values()];
}
