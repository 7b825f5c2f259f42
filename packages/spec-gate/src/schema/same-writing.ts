import { isObject, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { Conjunction } from "./canonical.ts";

/**
 * Whether schemas of two documents are written in the same way, including everything that they
 * refer to. Such schemas allow the same, even if it is too complex to say what.
 */
export const isSameWriting = (
  [before, after]: readonly [LoadedDocument, LoadedDocument],
  base: Conjunction,
  revision: Conjunction,
): boolean =>
  isSame(base, revision, (one, other) =>
    isReference(one) && isReference(other) ? [before.target(one), after.target(other)] : undefined,
  );

/** Whether two values are equal, however deep they are. */
export const isSameText = (one: Json, other: Json): boolean => isSame(one, other, () => undefined);

type Pair = readonly [Json | undefined, Json | undefined];

/** Whether two values are equal, with the pairs of values that belong to pairs of objects. */
function isSame(
  base: Json,
  revision: Json,
  more: (one: JsonObject, other: JsonObject) => Pair | undefined,
): boolean {
  const seen = new Map<object, Set<object>>();
  const open: Pair[] = [[base, revision]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair;
    if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
      if (one !== other) return false;
      continue;
    }
    const others = seen.get(one) ?? new Set<object>();
    if (others.has(other)) continue;
    seen.set(one, others.add(other));
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    const [left, right] = [one, other] as Record<string, Json>[];
    if (left === undefined || right === undefined) return false;
    const names = Object.keys(left);
    if (names.length !== Object.keys(right).length) return false;
    for (const name of names) open.push([left[name], right[name]]);
    const next = isObject(one) && isObject(other) ? more(one, other) : undefined;
    if (next !== undefined) open.push(next);
  }
  return true;
}

const isReference = (node: Readonly<Record<string, Json>>): boolean =>
  typeof node["$ref"] === "string";
