import { CORE_SCHEMA, load, mergeTag, YAMLException } from "js-yaml";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { CannotJudge } from "./cannot-judge.ts";
import { deepest, jsonFault } from "./json-fault.ts";

const yaml = CORE_SCHEMA.withTags(mergeTag);

/** YAML aliases can expand a short text; a document of 20 MB has about 2 million values. */
const mostValues = 20_000_000;

/** Parses JSON or YAML. Throws `CannotJudge` with the file's name and the place. */
export function parseText(text: string, name: string): Json {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (content.trim() === "") return null;
  if (/^\s*[[{]/.test(content)) {
    const value = parseJson(content, name);
    if (value !== undefined) return value;
  }
  try {
    const value = load(content, { filename: name, schema: yaml, maxDepth: deepest }) as Json;
    checkSize(value, name);
    return value;
  } catch (error) {
    if (error instanceof YAMLException) {
      const { reason, mark } = error;
      const place = mark ? `:${mark.line + 1}:${mark.column + 1}` : "";
      throw new CannotJudge(`${name}${place} is neither JSON nor YAML: ${reason}`);
    }
    throw error;
  }
}

/** Undefined if the text is not JSON. Throws `CannotJudge` for ambiguous JSON. */
function parseJson(content: string, name: string): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(content) as Json;
  } catch {
    // A YAML flow mapping may start the same way; the YAML parser gives the better message.
    return undefined;
  }
  const fault = jsonFault(content);
  if (fault === undefined) return value;
  const before = content.slice(0, fault.offset).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  throw new CannotJudge(`${name}:${before.length}:${column}: ${fault.reason}`);
}

/**
 * Throws `CannotJudge` for a value that contains itself, or has too many values with aliases
 * written out.
 */
function checkSize(root: Json, name: string): void {
  const sizes = new Map<object, number>();
  const sizeOf = (value: Json): number => {
    if (value === null || typeof value !== "object") return 1;
    const earlierSize = sizes.get(value);
    if (earlierSize === Infinity)
      throw new CannotJudge(`${name}: a YAML alias refers to a node that contains the alias`);
    if (earlierSize !== undefined) return earlierSize;
    sizes.set(value, Infinity);
    let size = 1;
    for (const each of Object.values(value) as Json[]) size += sizeOf(each);
    sizes.set(value, size);
    return size;
  };
  if (sizeOf(root) <= mostValues) return;
  throw new CannotJudge(
    `${name} is too large: with its YAML aliases written out it has more than ${mostValues} values`,
  );
}

export type Version = "3.0" | "3.1";

/**
 * The version of an OpenAPI document. Throws `CannotJudge` for a document that is not OpenAPI 3.0
 * or 3.1.
 */
export function versionOf(root: Json, name: string): Version {
  const expected = "expected an OpenAPI 3.0 or 3.1 document";
  if (!isObject(root)) throw new CannotJudge(`${name}: ${expected}, got ${kindOf(root)}`);
  const { openapi, swagger } = root;
  if (openapi !== undefined && swagger !== undefined) {
    throw new CannotJudge(
      `${name} declares two versions, openapi ${String(openapi)} and swagger ${String(swagger)}; keep one`,
    );
  }
  if (swagger !== undefined) {
    throw new CannotJudge(
      `${name} is a Swagger ${String(swagger)} document; convert it to OpenAPI 3 first, for example with swagger2openapi`,
    );
  }
  const version = /^3\.([01])(?:\.\d+)?(?:-.*)?$/.exec(String(openapi))?.[1];
  if (version === undefined) {
    const actual = openapi === undefined ? "no member openapi" : `openapi: ${String(openapi)}`;
    throw new CannotJudge(`${name}: ${expected}, got ${actual}`);
  }
  checkPaths(root, name);
  return version === "0" ? "3.0" : "3.1";
}

function checkPaths(root: JsonObject, name: string): void {
  const { paths, webhooks, components } = root;
  if (paths !== undefined && paths !== null && !isObject(paths)) {
    throw new CannotJudge(`${name}#/paths: expected an object, got ${kindOf(paths)}`);
  }
  if (paths === undefined && webhooks === undefined && components === undefined) {
    throw new CannotJudge(`${name} has none of paths, webhooks and components`);
  }
}

const kindOf = (value: Json): string =>
  value === null || value === undefined
    ? "an empty file"
    : Array.isArray(value)
      ? "a list"
      : `a ${typeof value}`;
