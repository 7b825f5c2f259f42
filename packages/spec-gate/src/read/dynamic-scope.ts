import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Origin } from "./loaded-file.ts";

/** The schemas by dynamic anchor that the resources on the way to a schema declare, the outermost first. */
type Scope = ReadonlyMap<string, JsonObject>;

const nothing: Scope = new Map();

/**
 * What `$dynamicRef` means depends on the way to it: the outermost resource that declares the anchor
 * decides. So a resource that is reached through another one is read as a copy of its own, whose dynamic
 * references know their way. Without dynamic references nothing is copied.
 */
export class DynamicScopes {
  readonly #origins: WeakMap<object, Origin>;
  readonly #roots: readonly Json[];
  readonly #scopes = new WeakMap<object, Scope>();
  readonly #copies = new WeakMap<object, Map<string, JsonObject>>();
  readonly #anchors = new WeakMap<object, ReadonlyMap<string, JsonObject>>();
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;
  #names: ReadonlySet<string> | undefined;

  constructor(origins: WeakMap<object, Origin>, roots: readonly Json[]) {
    this.#origins = origins;
    this.#roots = roots;
  }

  /** The part of a file with a base of its own that a node belongs to: the nearest `$id`, or the file. */
  resourceOf(node: object): object {
    let current = node;
    for (;;) {
      if (isObject(current) && typeof current["$id"] === "string") return current;
      const parent = this.#origins.get(current)?.parent;
      if (parent === undefined) return current;
      current = parent;
    }
  }

  /** The node with an anchor in the resource of another node. */
  anchored(node: object, anchor: string): JsonObject | undefined {
    return this.#anchorsOf(this.resourceOf(node)).get(anchor);
  }

  /** The target of a reference, as it is read on the way through the reference. */
  through(reference: object, target: JsonObject | boolean): JsonObject | boolean {
    if (!isObject(target) || this.#dynamicNames().size === 0) return target;
    const scope = this.#scopeAt(reference);
    const isWithin = this.resourceOf(reference) === this.resourceOf(target);
    if (scope.size === 0 || (isWithin && !this.#scopes.has(reference))) return target;
    return this.#copyOf(target, scope);
  }

  /** The target of a dynamic reference; undefined if it is one like `$ref`. */
  dynamic(node: JsonObject, anchor: string): JsonObject | boolean | undefined {
    const initial = this.anchored(node, anchor);
    if (initial?.["$dynamicAnchor"] !== anchor) return undefined;
    const outer = this.#scopes.get(node)?.get(anchor);
    return outer === undefined ? initial : this.through(node, outer);
  }

  /** The anchors on the way to a node, and those of its own resource. */
  #scopeAt(node: object): Scope {
    const outer = this.#scopes.get(node) ?? nothing;
    const names = this.#dynamicNames();
    const own = [...this.#anchorsOf(this.resourceOf(node))].filter(
      ([name, each]) => names.has(name) && each["$dynamicAnchor"] === name && !outer.has(name),
    );
    return own.length === 0 ? outer : new Map([...outer, ...own]);
  }

  #copyOf(target: JsonObject, scope: Scope): JsonObject {
    const key = [...scope]
      .map(([name, node]) => `${name} ${this.#idOf(node)}`)
      .toSorted()
      .join();
    const copies = this.#copies.get(target) ?? new Map<string, JsonObject>();
    this.#copies.set(target, copies);
    const known = copies.get(key);
    if (known !== undefined) return known;
    const copy = this.#copy(target, scope, this.#origins.get(target)) as JsonObject;
    copies.set(key, copy);
    return copy;
  }

  #copy(value: Json, scope: Scope, origin: Origin | undefined): Json {
    if (value === null || typeof value !== "object") return value;
    const copy: Record<string, Json> | Json[] = Array.isArray(value) ? [] : {};
    if (origin !== undefined) this.#origins.set(copy, origin);
    this.#scopes.set(copy, scope);
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const own = origin === undefined ? undefined : { file: origin.file, parent: copy, key };
      (copy as Record<string, Json>)[key] = this.#copy(member, scope, own);
    }
    return copy;
  }

  #idOf(node: object): number {
    const id = this.#ids.get(node) ?? ++this.#lastId;
    this.#ids.set(node, id);
    return id;
  }

  /** The nodes of a resource by their anchors. */
  #anchorsOf(resource: object): ReadonlyMap<string, JsonObject> {
    const known = this.#anchors.get(resource);
    if (known !== undefined) return known;
    const anchors = new Map<string, JsonObject>();
    this.#anchors.set(resource, anchors);
    visit(resource as Json, (node) => {
      if (node !== resource && typeof node["$id"] === "string") return false;
      for (const anchor of [node["$anchor"], node["$dynamicAnchor"]]) {
        if (typeof anchor === "string") anchors.set(anchor, node);
      }
      return true;
    });
    return anchors;
  }

  /** The anchors that dynamic references name. */
  #dynamicNames(): ReadonlySet<string> {
    if (this.#names !== undefined) return this.#names;
    const names = new Set<string>();
    for (const root of this.#roots) {
      visit(root, ({ $dynamicRef }) => {
        if (typeof $dynamicRef === "string") names.add($dynamicRef.split("#")[1] ?? "");
        return true;
      });
    }
    this.#names = names;
    return names;
  }
}

/** Calls back for each object, once; its members are visited if the answer is yes. */
function visit(root: Json, enters: (node: JsonObject) => boolean): void {
  const seen = new Set<object>();
  const stack: Json[] = [root];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (value === null || typeof value !== "object" || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value) || enters(value as JsonObject)) {
      for (const member of Object.values(value)) {
        if (member !== null && typeof member === "object") stack.push(member as Json);
      }
    }
  }
}
