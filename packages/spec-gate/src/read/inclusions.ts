import { isObject, type Json, type JsonObject } from "../json.ts";
import { CannotJudge } from "./cannot-judge.ts";
import type { LoadedDocument } from "./loaded-document.ts";

/**
 * A `$ref` where OpenAPI has no Reference Object, such as in a map of responses. Bundlers insert
 * the target, so documents of several files use it.
 */
export interface Inclusion {
  readonly node: JsonObject;
  readonly parent: object;
  readonly key: string;
}

/** Keywords whose value may be included as a whole. */
const included = new Set(
  "get put post delete options head patch trace query components info parameters security servers tags".split(
    " ",
  ),
);

/** The context of a node of a document. */
export interface Surroundings {
  readonly parent: object | undefined;
  readonly key: string;
  /** The node maps names to the values of a keyword such as `responses`. */
  readonly isMap: boolean;
  /** The keyword of the map that the node is a member of. */
  readonly memberOf: string | undefined;
}

export function isInclusion(node: JsonObject, around: Surroundings): boolean {
  if (typeof node["$ref"] !== "string") return false;
  if (around.memberOf !== undefined) return around.memberOf === "content";
  return around.isMap || included.has(around.key);
}

/** Inserts the targets of inclusions. Throws `CannotJudge` if a target does not exist. */
export function settleInclusions(document: LoadedDocument, inclusions: readonly Inclusion[]): void {
  const nodes = new Set(inclusions.map(({ node }) => node));
  const open = new Set<JsonObject>();
  const settled = (value: Json): Json =>
    isObject(value) && nodes.has(value) ? behind(value) : value;
  /** The target of a node, overridden by the node's own members. */
  const behind = (node: JsonObject): Json => {
    const { $ref, ...own } = node;
    if (typeof $ref !== "string") return node;
    if (open.has(node)) return fail(document, node, "leads back to itself");
    open.add(node);
    const target = document.included(node);
    const whole = isObject(target) ? behind(target) : target;
    open.delete(node);
    if (Object.keys(own).length === 0) return whole;
    if (!isObject(whole)) return fail(document, node, "does not lead to an object");
    const members = Object.entries({ ...whole, ...own });
    const merged = Object.fromEntries(members.map(([name, each]) => [name, settled(each)]));
    const origin = document.origins.get(node);
    if (origin !== undefined) document.origins.set(merged, origin);
    return merged;
  };
  for (const { node, parent, key } of inclusions) {
    (parent as Record<string, Json>)[key] = behind(node);
  }
}

function fail(document: LoadedDocument, node: JsonObject, reason: string): never {
  throw new CannotJudge(`${document.placeOf(node)}: $ref ${String(node["$ref"])} ${reason}`);
}
