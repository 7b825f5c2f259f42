import { groupBy } from "../group-by.ts";
import { isObject, listOf, objectsOf, textOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

export interface Parameter {
  readonly node: JsonObject;
  readonly name: string;
  readonly in: string;
}

/** One operation, with the settings that it inherits from its path and document. */
export interface Operation {
  /** `GET /users/{id}`. */
  readonly name: string;
  readonly path: string;
  readonly node: JsonObject;
  /** The path's item. */
  readonly item: JsonObject;
  /** By place and name; path parameters by position, because their names are not sent. */
  readonly parameters: () => ReadonlyMap<string, Parameter>;
  readonly servers: Json | undefined;
  readonly security: Json | undefined;
}

type Operations = ReadonlyMap<string, Operation>;

const operationsByDocument = new WeakMap<LoadedDocument, Map<Json | undefined, Operations>>();

/** All operations under path templates, by method and path. */
export function operationsOf(
  document: LoadedDocument,
  paths: Json | undefined,
  start = "",
): Operations {
  const all = operationsByDocument.get(document) ?? new Map<Json | undefined, Operations>();
  operationsByDocument.set(document, all);
  const operations = all.get(paths) ?? readOperations(document, paths);
  all.set(paths, operations);
  if (start === "") return operations;
  return new Map(
    [...operations].map(([key, operation]) => [key.replace(" ", ` ${start}`), operation]),
  );
}

function readOperations(document: LoadedDocument, paths: Json | undefined): Operations {
  const operations = new Map<string, Operation>();
  for (const [path, reference] of objectsOf(paths)) {
    if (path.startsWith("x-")) continue;
    const item = document.resolve(reference);
    const add = (method: string, node: Json | undefined): void => {
      if (!isObject(node)) return;
      operations.set(`${method} ${path}`, operationOf(document, path, method, item, node));
    };
    // Names of methods are case-sensitive; only those of OpenAPI are written in lower case.
    for (const [method, node] of objectsOf(item["additionalOperations"])) add(method, node);
    for (const method of methods) {
      add(method.toUpperCase(), item[method] ?? reference[method]);
    }
  }
  return operations;
}

/** Pairs the operations of both documents. */
export interface Pairing {
  readonly kept: ReadonlyMap<Operation, Operation>;
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
}

/**
 * Operations of the same path belong together, then those whose paths differ only in the names of
 * parameters. A document may have several such paths, although it should not. They are paired in
 * order.
 */
export function pairOperations(before: Operations, after: Operations): Pairing {
  const kept = new Map<Operation, Operation>();
  const added = new Map(after);
  const unmatched: (readonly [key: string, operation: Operation])[] = [];
  for (const [key, operation] of before) {
    const same = added.get(key);
    if (same === undefined) unmatched.push([key, operation]);
    else {
      kept.set(operation, same);
      added.delete(key);
    }
  }
  const byTemplate = groupBy(added, ([key]) => templateOf(key));
  const removed: Operation[] = [];
  for (const [key, operation] of unmatched) {
    const [addedKey, other] = byTemplate.get(templateOf(key))?.shift() ?? [];
    if (addedKey === undefined || other === undefined) removed.push(operation);
    else {
      kept.set(operation, other);
      added.delete(addedKey);
    }
  }
  return { kept, removed, added: [...added.values()] };
}

/** Names of path parameters are not sent; the expressions of callbacks say where a request goes. */
const templateOf = (key: string): string =>
  key
    .replaceAll(/\{(?!\$)[^{}]*\}/g, "{}")
    .replaceAll(/\{\$(?:request|response)\.header\.[^{}]*\}/g, (header) => header.toLowerCase());

function operationOf(
  document: LoadedDocument,
  path: string,
  method: string,
  item: JsonObject,
  node: JsonObject,
): Operation {
  let parameters: ReadonlyMap<string, Parameter> | undefined;
  return {
    name: `${method} ${path}`,
    path,
    node,
    item,
    parameters: () => (parameters ??= parametersOf(document, path, item, node)),
    servers: node["servers"] ?? item["servers"],
    security: node["security"] ?? document.root["security"],
  };
}

function parametersOf(
  document: LoadedDocument,
  path: string,
  item: JsonObject,
  node: JsonObject,
): ReadonlyMap<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  const positions = new Map(
    [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name], index) => [name, index]),
  );
  for (const each of [...listOf(item["parameters"]), ...listOf(node["parameters"])]) {
    if (!isObject(each)) continue;
    const parameter = document.resolve(each);
    const name = textOf(parameter["name"]) ?? "";
    const place = textOf(parameter["in"]) ?? "";
    if (place === "header" && ignoredHeaders.has(name.toLowerCase())) continue;
    const key = place === "path" ? String(positions.get(name) ?? name) : nameKey(place, name);
    parameters.set(`${place} ${key}`, { node: parameter, name, in: place });
  }
  return parameters;
}

/** A query string as a whole is sent without a name, so there is only one. */
const nameKey = (place: string, name: string): string =>
  place === "querystring" ? "" : place === "header" ? name.toLowerCase() : name;

/** Header parameters with these names are ignored: the specification defines them elsewhere. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);
