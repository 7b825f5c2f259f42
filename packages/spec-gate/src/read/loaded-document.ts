import { isObject, type Json, type JsonObject } from "../json.ts";
import { CannotJudge } from "./cannot-judge.ts";
import { DynamicScopes } from "./dynamic-scope.ts";
import type { LoadedFile, Origin } from "./loaded-file.ts";
import { locationText, relativeLocation } from "./location.ts";
import type { Version } from "./parse.ts";
import { child, pointerOf, tokensOf } from "./pointer.ts";

/** A reference by the URI in `$self` leads into the file itself, or to a file beside it. */
export function localReference(reference: string, self: string | undefined): string {
  if (self === undefined || reference.startsWith("#")) return reference;
  const [path = "", ...fragment] = reference.split("#");
  const suffix = fragment.length === 0 ? "" : `#${fragment.join("#")}`;
  if (path === self) return suffix;
  const [folder, target] = [URL.parse(".", self)?.href, URL.parse(path)?.href];
  if (folder === undefined || target?.startsWith(folder) !== true) return reference;
  return `${target.slice(folder.length)}${suffix}`;
}

/** A document with all files that it refers to. */
export class LoadedDocument {
  readonly name: string;
  readonly version: Version;
  readonly files: ReadonlyMap<string, LoadedFile>;
  readonly root: JsonObject;
  readonly #main: LoadedFile;
  readonly #problems: ReadonlyMap<string, string>;
  /** The locations of the objects of the document. */
  readonly origins: WeakMap<object, Origin>;
  /** What was read in a way that needs to be known, with a place. */
  readonly notes: { readonly pointer: string; readonly message: string }[] = [];
  /** How the texts of its files were understood. */
  readonly textNotes: readonly string[];
  /** Patterns of extensions that were found and left out. */
  readonly withoutExtensions: ReadonlySet<string>;
  /** The files by the URIs that they declare as their own. */
  readonly #selves: ReadonlyMap<string, LoadedFile>;
  /** References that are being followed. */
  readonly #open = new Set<object>();
  readonly #circles = new WeakMap<object, JsonObject>();
  readonly #targets = new WeakMap<object, JsonObject | boolean>();
  readonly #scopes: DynamicScopes;

  constructor(parts: {
    readonly name: string;
    readonly version: Version;
    readonly main: LoadedFile;
    readonly files: ReadonlyMap<string, LoadedFile>;
    readonly problems: ReadonlyMap<string, string>;
    readonly origins: WeakMap<object, Origin>;
    readonly textNotes?: readonly string[];
    readonly withoutExtensions?: ReadonlySet<string>;
  }) {
    this.withoutExtensions = parts.withoutExtensions ?? new Set();
    this.textNotes = parts.textNotes ?? [];
    this.name = parts.name;
    this.version = parts.version;
    this.#main = parts.main;
    this.root = parts.main.root as JsonObject;
    this.files = parts.files;
    this.#problems = parts.problems;
    this.#selves = new Map(
      [...parts.files.values()].flatMap((file) =>
        file.self === undefined ? [] : [[file.self, file] as const],
      ),
    );
    this.origins = parts.origins;
    const roots = [...parts.files.values()].map(({ root }) => root);
    this.#scopes = new DynamicScopes(parts.origins, roots);
  }

  /** Whether some of its files could not be read. */
  get isIncomplete(): boolean {
    return this.#problems.size > 0;
  }

  /** The node itself, or the end of its chain of references. Throws `CannotJudge` if that is no object. */
  resolve(node: JsonObject): JsonObject {
    const end = this.resolveSchema(node);
    if (isObject(end)) return end;
    return this.#fail(node, String(node["$ref"]), `leads to ${end}, not to an object`);
  }

  /** Like `resolve`, for a schema, which may be a boolean. */
  resolveSchema(node: JsonObject | boolean): JsonObject | boolean {
    const seen = new Set<object>();
    let current = node;
    while (isObject(current) && typeof current["$ref"] === "string") {
      if (seen.has(current)) return this.#circle(node as JsonObject, current);
      seen.add(current);
      current = this.target(current);
    }
    return current;
  }

  /** What a reference that leads only to itself stands for: it says nothing. */
  #circle(node: JsonObject, current: JsonObject): JsonObject {
    const known = this.#circles.get(current);
    if (known !== undefined) return known;
    const empty: JsonObject = {};
    const origin = this.origins.get(current);
    if (origin !== undefined) this.origins.set(empty, origin);
    this.#circles.set(current, empty);
    const message = `$ref ${String(current["$ref"])} leads back to itself, and says nothing`;
    this.notes.push({ pointer: this.pointer(node), message });
    return empty;
  }

  /** The target of a reference. Throws `CannotJudge` if it does not exist. */
  target(node: JsonObject): JsonObject | boolean {
    const cachedTarget = this.#targets.get(node);
    if (cachedTarget !== undefined) return cachedTarget;
    const target = this.#scopes.through(node, this.#objectAt(node, String(node["$ref"])));
    this.#targets.set(node, target);
    return target;
  }

  /** The target of a reference, of any type. Throws `CannotJudge` if it does not exist. */
  included(node: JsonObject): Json {
    return this.#find(node, String(node["$ref"]));
  }

  /** The target of a `$dynamicRef` on the way on which the node was reached. */
  dynamicTarget(node: JsonObject): JsonObject | boolean {
    const reference = String(node["$dynamicRef"]);
    const anchor = /^#([^/].*)$/.exec(reference)?.[1];
    const target = anchor === undefined ? undefined : this.#scopes.dynamic(node, anchor);
    return target ?? this.#scopes.through(node, this.#objectAt(node, reference));
  }

  #objectAt(node: JsonObject, reference: string): JsonObject | boolean {
    const target = this.#find(node, reference);
    if (isObject(target) || typeof target === "boolean") return target;
    return this.#fail(node, reference, "does not lead to an object");
  }

  #fail(node: JsonObject, reference: string, reason: string): never {
    throw new CannotJudge(`${this.placeOf(node)}: $ref ${reference} ${reason}`);
  }

  #find(node: JsonObject, reference: string): Json {
    const from = this.origins.get(node)?.file ?? this.#main;
    const named = this.#named(node, reference);
    if (named !== undefined) return named;
    const [path = "", fragment = ""] = localReference(reference, from.self).split("#");
    const own = path === "" ? undefined : this.#selves.get(path);
    const location = relativeLocation(from.location, path);
    const file = own ?? this.files.get(locationText(location)) ?? (path === "" ? from : undefined);
    if (file === undefined) {
      const problem = this.#problems.get(locationText(location));
      return this.#fail(node, reference, problem ?? "leads to a file that was not read");
    }
    const tokens = tokensOf(fragment);
    const target =
      tokens === undefined
        ? ((path === "" ? this.#scopes.anchored(node, fragment) : undefined) ??
          file.named.get(`#${fragment}`))
        : this.#walk(file.root, tokens);
    return target === undefined ? this.#fail(node, reference, "leads nowhere") : target;
  }

  /** The file that the path of a reference leads to; undefined if it was not read. */
  targetFile(from: LoadedFile, path: string): LoadedFile | undefined {
    try {
      return this.files.get(locationText(relativeLocation(from.location, path)));
    } catch (error) {
      if (error instanceof CannotJudge) return undefined;
      throw error;
    }
  }

  /** The target within a schema that has an `$id`: the one that is named, or the node's own. */
  #named(from: JsonObject, reference: string): Json | undefined {
    const [path = "", fragment = ""] = reference.split("#");
    const resource =
      path === "" ? this.#scopes.resourceOf(from) : this.#withId(from, reference, path);
    if (!isObject(resource) || typeof resource["$id"] !== "string") return undefined;
    if (fragment === "" || resource["$id"] === reference) return resource;
    const tokens = tokensOf(fragment);
    return tokens === undefined
      ? this.#scopes.anchored(resource, fragment)
      : this.#walk(resource, tokens);
  }

  #withId(from: JsonObject, reference: string, path: string): JsonObject | undefined {
    for (const { named } of this.files.values()) {
      const node = named.get(reference) ?? named.get(path);
      if (node !== undefined) return node;
    }
    const base = this.#uriOf(this.#scopes.resourceOf(from));
    const uri = base === undefined ? undefined : URL.parse(path, base)?.href;
    return uri === undefined ? undefined : this.#byUri().get(uri);
  }

  /** The absolute `$id` of a resource; a relative one starts at that of the resource around it. */
  #uriOf(resource: object): string | undefined {
    if (!isObject(resource) || typeof resource["$id"] !== "string") return undefined;
    const parent = this.origins.get(resource)?.parent;
    const base = parent === undefined ? undefined : this.#uriOf(this.#scopes.resourceOf(parent));
    return URL.parse(resource["$id"], base)?.href;
  }

  #uris: ReadonlyMap<string, JsonObject> | undefined;

  #byUri(): ReadonlyMap<string, JsonObject> {
    this.#uris ??= new Map(
      [...this.files.values()].flatMap(({ named }) =>
        [...named.values()].flatMap((node): readonly (readonly [string, JsonObject])[] => {
          const uri = this.#uriOf(node);
          return uri === undefined ? [] : [[uri, node]];
        }),
      ),
    );
    return this.#uris;
  }

  /** The end of a reference that a pointer leads through. It may lead through itself again. */
  #through(node: JsonObject): JsonObject {
    if (this.#open.has(node)) return this.#fail(node, String(node["$ref"]), "leads back to itself");
    this.#open.add(node);
    try {
      return this.resolve(node);
    } finally {
      this.#open.delete(node);
    }
  }

  /** Follows a pointer, and resolves references on the way. */
  #walk(root: Json, tokens: readonly string[]): Json | undefined {
    let current: Json | undefined = root;
    for (const token of tokens) {
      const next = child(current, token);
      if (next === undefined && isObject(current) && typeof current["$ref"] === "string") {
        current = child(this.#through(current), token);
      } else current = next;
    }
    return current;
  }

  /** The place of a node as a JSON pointer; in other files with the file's path before it. */
  pointer(node: object): string {
    const tokens: string[] = [];
    let current: object | undefined = node;
    let origin = this.origins.get(node);
    const file = origin?.file ?? this.#main;
    while (current !== undefined && origin?.parent !== undefined) {
      tokens.unshift(origin.key);
      current = origin.parent;
      origin = this.origins.get(current);
    }
    return `${this.#prefix(file)}${pointerOf(tokens)}`;
  }

  /** The place of a node for a message. */
  placeOf(node: object): string {
    const pointer = this.pointer(node);
    return pointer.startsWith("#") ? `${this.name}${pointer}` : `${this.name}: ${pointer}`;
  }

  /** The last name on the way to a node: a component's name, or a file's. */
  nameOf(node: object): string | undefined {
    const origin = this.origins.get(node);
    if (origin === undefined) return undefined;
    if (origin.parent !== undefined) return origin.key;
    return /(?<![^/\\])([^/\\]+?)(?:\.[a-z]+)?$/i.exec(locationText(origin.file.location))?.[1];
  }

  fileOf(node: object): LoadedFile {
    return this.origins.get(node)?.file ?? this.#main;
  }

  /** The file of a pointer; the main file if the document does not contain it. */
  fileAt(pointer: string): LoadedFile {
    const prefix = pointer.slice(0, Math.max(pointer.indexOf("#"), 0));
    if (prefix === "") return this.#main;
    return [...this.files.values()].find((file) => this.#prefix(file) === prefix) ?? this.#main;
  }

  #prefix(file: LoadedFile): string {
    if (file === this.#main) return "";
    const main = locationText(this.#main.location);
    const folder = main.slice(0, Math.max(main.lastIndexOf("/"), main.lastIndexOf("\\")) + 1);
    const text = locationText(file.location);
    return text.startsWith(folder) ? text.slice(folder.length) : text;
  }
}
