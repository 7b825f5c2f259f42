import { isObject, type Json } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { Conjunction } from "./canonical.ts";

/**
 * Whether schemas of two documents are written in the same way, including everything that they
 * refer to. Such schemas allow the same, even if it is too complex to say what.
 */
export function isSameWriting(
  documents: readonly [LoadedDocument, LoadedDocument],
  base: Conjunction,
  revision: Conjunction,
): boolean {
  const seen = new Map<object, Set<object>>();
  const open: (readonly [Json | undefined, Json | undefined])[] = [[base, revision]];
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
    if (isObject(one) && isObject(other) && isReference(one) && isReference(other)) {
      open.push([documents[0].target(one), documents[1].target(other)]);
    }
  }
  return true;
}

const isReference = (node: Readonly<Record<string, Json>>): boolean =>
  typeof node["$ref"] === "string";
