/** Compares records as files describe them. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../calls/is-object.ts";
import { hasType } from "../../calls/schema.ts";
import type { Fields, FileSchema } from "./kind.ts";

/** A member whose value differs. */
export interface Difference {
  readonly path: readonly string[];
  /** Undefined if it is empty. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The value as files have it: members in the order of the document, without empty ones, and references
 * sorted. Undefined if nothing is left.
 */
export function normalized(schema: FileSchema, value: unknown): unknown {
  if (value === null || value === "" || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    if (items["x-reference"] !== undefined)
      return nonEmpty([...new Set(value as string[])].toSorted());
    return nonEmpty(value.map((item: unknown) => normalized(items, item) ?? item));
  }
  if (typeof value !== "object" || schema.properties === undefined) return value;
  const { properties, required = [] } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const input = (value as Fields)[name];
    const inner = normalized(member, input);
    if (inner !== undefined) return [[name, inner] as const];
    return required.includes(name) && input !== undefined ? [[name, input] as const] : [];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const nonEmpty = <Item>(list: readonly Item[]): readonly Item[] | undefined =>
  list.length === 0 ? undefined : list;

/** What requests send for a member without a value; undefined if it always has one. */
export function emptyOf(schema: FileSchema): unknown {
  const { minItems = 0, minLength = 0, pattern, enum: choices, format } = schema;
  if (hasType(schema, "array")) return minItems === 0 ? [] : undefined;
  if (hasType(schema, "null")) return null;
  const isFree = pattern === undefined && choices === undefined && format === undefined;
  return hasType(schema, "string") && minLength === 0 && isFree ? "" : undefined;
}

/**
 * The record that a file describes. Members that the file leaves out become empty; those that cannot be empty
 * keep their value.
 */
export function merged(schema: FileSchema, before: unknown, input: unknown): unknown {
  if (schema.properties !== undefined && (input === undefined || isObject(input))) {
    const old = isObject(before) ? before : {};
    const members = Object.entries(schema.properties).map(([name, member]) => [
      name,
      merged(member, old[name], input?.[name]),
    ]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (Array.isArray(input)) {
    const { items = {} } = schema;
    return input.map((item: unknown, index) =>
      merged(items, entryBefore(schema, before, item, index), item),
    );
  }
  if (input !== undefined) return input;
  return emptyOf(schema) === undefined ? before : undefined;
}

/** The entry of a list that an entry of another list stands for. */
export function entryBefore(
  { "x-entry-key": entryKey = null }: FileSchema,
  list: unknown,
  item: unknown,
  index: number,
): unknown {
  if (!Array.isArray(list)) return undefined;
  const memberOf = (entry: unknown, name: string): unknown =>
    isObject(entry) ? entry[name] : undefined;
  if (entryKey !== null) {
    const key = memberOf(item, entryKey);
    return list.find((each: unknown) => isObject(each) && each[entryKey] === key);
  }
  // Entries of different types, such as channels, have different members.
  const old: unknown = list[index];
  return memberOf(old, "type") === memberOf(item, "type") ? old : undefined;
}

/** The members that differ, at the deepest place. Lists are compared as a whole. */
export function differences(
  schema: FileSchema,
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const { properties } = schema;
  const isSplit =
    properties !== undefined &&
    [before, after].every((each) => isObject(each) || each === undefined);
  if (!isSplit) return [{ path, before, after }];
  const [old, wanted] = [before, after] as readonly (Fields | undefined)[];
  return Object.entries(properties).flatMap(([name, member]) =>
    differences(member, old?.[name], wanted?.[name], [...path, name]),
  );
}
