import { readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import { documentOf } from "../../src/read/load-document.ts";
import { child, tokensOf } from "../../src/read/pointer.ts";

const file = new URL(import.meta.resolve("@security-platform/spec/openapi.json"));

/** The real document. The corpus edits every suitable place of it. */
export const real = documentOf(
  JSON.parse(readFileSync(file, "utf8")) as JsonObject,
  "openapi.json",
);

/** The resolved nodes of references. */
const resolved = new WeakMap<JsonObject, Json>();

/** The resolved node; members beside a reference are kept. */
export function followed(node: Json | undefined): Json | undefined {
  if (!isObject(node) || typeof node["$ref"] !== "string") return node;
  const cachedNode = resolved.get(node);
  if (cachedNode !== undefined) return cachedNode;
  const { $ref, ...beside } = node;
  const tokens = tokensOf(String($ref).slice(1)) ?? [];
  const target = followed(tokens.reduce<Json | undefined>(child, real.root));
  const complete = isObject(target) ? { ...target, ...beside } : target;
  if (complete !== undefined) resolved.set(node, complete);
  return complete;
}

/** A place of a document: keys from its root, through references. */
export type Place = readonly string[];

export const at = (place: Place): Json | undefined =>
  place.reduce<Json | undefined>((node, key) => child(followed(node), key), real.root);

export type Change = (node: Json | undefined) => Json | undefined;

/**
 * The document with one changed place. References on the way are inlined, so nothing else changes.
 * All other objects are shared.
 */
export const edited = (place: Place, change: Change, root: JsonObject = real.root): JsonObject =>
  editNode(root, place, change) as JsonObject;

function editNode(node: Json | undefined, place: Place, change: Change): Json | undefined {
  const [key, ...rest] = place;
  const own = followed(node);
  if (key === undefined) return change(own);
  if (Array.isArray(own)) {
    return (own as readonly Json[]).map((each, index) =>
      String(index) === key ? (editNode(each, rest, change) ?? null) : each,
    );
  }
  const { [key]: before, ...others } = own as JsonObject;
  const after = editNode(before, rest, change);
  if (after === undefined) return others;
  // The order of members stays.
  return key in (own as JsonObject)
    ? Object.fromEntries(
        Object.entries(own as JsonObject).map(([name, value]) => [
          name,
          name === key ? after : value,
        ]),
      )
    : { ...others, [key]: after };
}
