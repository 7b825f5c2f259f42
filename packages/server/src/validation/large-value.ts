import { isLargerThan } from "@security-platform/spec/schemas";
import { pause } from "../foundation/work-turns.ts";
import { resolved, type Schema } from "./resolved.ts";

/** A value with the same first violation as a larger one. */
export interface Reduced {
  readonly value: unknown;
  /** Where the items of the value are in the larger one. The items of an outer list come first. */
  readonly moves: readonly Move[];
}

/** An item that became the first of its list. */
interface Move {
  /** The place of the list in the larger value. */
  readonly list: Path;
  readonly index: number;
}

type Path = readonly (string | number)[];

/** Returns a function that checks a value against the schema. */
export type Checks = (schema: Schema) => (value: unknown) => boolean;

/** Number of JSON values from which an item is reduced itself before it is checked. */
const largeItem = 1_000;

const annotations = "title description examples example default deprecated";
/** Keywords that a reduced value can be checked with. Others may depend on members or items that it lacks. */
const objectKeywords = new Set(
  `type properties required additionalProperties ${annotations}`.split(" "),
);
const listKeywords = new Set(`type items minItems maxItems uniqueItems ${annotations}`.split(" "));

const hasOnly = (schema: Schema, keywords: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((keyword) => keywords.has(keyword) || keyword.startsWith("x-"));

/**
 * Checks the items of the lists in a value one by one, so that other requests run in between. In the reduced
 * value, a list has only its first wrong item, or its first item if none is wrong. A list that is itself
 * wrong stays whole, as its items are not checked then.
 */
export function reduced(schema: Schema, value: unknown, checks: Checks): Promise<Reduced> {
  const reduce = async (reference: Schema, from: unknown, at: Path): Promise<Reduced> => {
    const described = resolved(reference);
    if (Array.isArray(from)) return reduceList(described, from, at);
    const properties = described["properties"] as Readonly<Record<string, Schema>> | undefined;
    if (
      from === null ||
      typeof from !== "object" ||
      properties === undefined ||
      !hasOnly(described, objectKeywords)
    ) {
      return { value: from, moves: [] };
    }
    const copy: Record<string, unknown> = { ...from };
    const moves: Move[] = [];
    for (const [name, property] of Object.entries(properties)) {
      if (!Object.hasOwn(copy, name)) continue;
      const member = await reduce(property, copy[name], [...at, name]);
      copy[name] = member.value;
      moves.push(...member.moves);
    }
    return { value: copy, moves };
  };

  const reduceList = async (
    described: Schema,
    list: readonly unknown[],
    at: Path,
  ): Promise<Reduced> => {
    const whole = { value: list, moves: [] };
    const { items, ...own } = described;
    const isPlain = hasOnly(described, listKeywords) && Number(described["minItems"] ?? 0) <= 1;
    if (items === undefined || list.length < 2 || !isPlain || !checks(own)(list)) return whole;
    const isValid = checks(items as Schema);
    for (const [index, item] of list.entries()) {
      const part = isLargerThan(largeItem, item)
        ? await reduce(items as Schema, item, [...at, index])
        : { value: item, moves: [] };
      if (!isValid(part.value)) {
        return { value: [part.value], moves: [{ list: at, index }, ...part.moves] };
      }
      await pause();
    }
    return { value: list.slice(0, 1), moves: [] };
  };

  return reduce(schema, value, []);
}

/** The place in the larger value. */
export function originalPath(path: Path, moves: readonly Move[]): Path {
  const original = [...path];
  for (const { list, index } of moves) {
    const isInside = list.every((step, at) => original[at] === step);
    if (isInside && original[list.length] === 0) original[list.length] = index;
  }
  return original;
}
