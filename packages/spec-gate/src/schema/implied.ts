import type {
  ArrayAtom,
  Bound,
  Canonical,
  Conjunction,
  NumberAtom,
  StringAtom,
} from "./canonical.ts";
import { isNothing } from "./canonical.ts";
import { rangeOfFormats, lengthsOfFormat } from "./formats.ts";
import { nextMultiple, type Numeric } from "../numeric.ts";
import { lengthsOfPattern } from "./pattern.ts";

/** The limits that other keywords imply beside the own ones. */
export interface ImpliedLengths {
  readonly least: number;
  readonly largest: number;
}

/** The lengths that the patterns and formats of a string imply. */
export function impliedLengths({ patterns, formats }: StringAtom): ImpliedLengths {
  const ranges = [...patterns.map(lengthsOfPattern), ...formats.map(lengthsOfFormat)];
  return {
    least: Math.max(0, ...ranges.map(([least]) => least)),
    largest: Math.min(...ranges.map(([, largest]) => largest)),
  };
}

/** The limits of a number with those of its format. */
export function boundsOf(atom: NumberAtom): {
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
} {
  const { minimum, maximum } = atom;
  const [least, largest] = rangeOfFormats(atom);
  return {
    minimum:
      minimum === undefined || minimum.value < least ? stepped(atom, inclusive(least), 1) : minimum,
    maximum:
      maximum === undefined || maximum.value > largest
        ? stepped(atom, inclusive(largest), -1)
        : maximum,
  };
}

/** A limit of integers or multiples, with the limit included: above 0 is from 1 on. */
export function stepped(
  { integer, multiplesOf }: NumberAtom,
  bound: Bound | undefined,
  sign: 1 | -1,
): Bound | undefined {
  const [step, ...more] = multiplesOf.length === 0 && integer ? [1] : multiplesOf;
  if (bound === undefined || step === undefined || more.length > 0) return bound;
  const value = nextMultiple(bound.value, step, sign, bound.exclusive);
  return value === undefined ? bound : { value, exclusive: false };
}

const inclusive = (value: Numeric): Bound | undefined =>
  typeof value === "bigint" || Number.isFinite(value) ? { value, exclusive: false } : undefined;

/** The number of items that other keywords allow: of a closed tuple, or of a set of listed values. */
export function mostItems(
  reader: { canonical(schema: Conjunction): Canonical },
  atom: ArrayAtom,
): number {
  const rest = reader.canonical(atom.rest);
  if (isNothing(rest)) return atom.prefix.length;
  const isSet = atom.uniqueItems && atom.prefix.length === 0 && rest.open !== true;
  if (!isSet || rest.isTooComplex === true) return Infinity;
  return rest.atoms.reduce(
    (count, { type, values }) => count + (values?.length ?? (type === "boolean" ? 2 : Infinity)),
    rest.nullable ? 1 : 0,
  );
}
