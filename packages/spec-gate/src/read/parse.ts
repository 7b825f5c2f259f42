import { CORE_SCHEMA, floatCoreTag, intCoreTag, load, mergeTag, YAMLException } from "js-yaml";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { CannotJudge } from "./cannot-judge.ts";
import { deepest, jsonFault } from "./json-fault.ts";
import { numericOf } from "../numeric.ts";
import { positionsOf } from "./lines.ts";
import { pointerOf } from "./pointer.ts";

/** Integers that a double cannot hold stay exact, however they are written. */
const exact = (tag: typeof intCoreTag): typeof intCoreTag => ({
  ...tag,
  resolve(source, isExplicit, tagName) {
    const value = tag.resolve(source, isExplicit, tagName);
    return typeof value === "number" &&
      !Number.isSafeInteger(value) &&
      /^[-+]?\d[\d.eE+-]*$/.test(source)
      ? (numericOf(source) as number)
      : value;
  },
});

const yaml = CORE_SCHEMA.withTags(mergeTag, exact(intCoreTag), exact(floatCoreTag));

/** YAML aliases can expand a short text; a document of 20 MB has about 2 million values. */
const mostValues = 20_000_000;

/** A text that was parsed, and how it was understood. */
export interface ParsedText {
  readonly value: Json;
  /** The text itself, or a repaired one with the same lines. */
  readonly text: string;
  /** The lines that were moved to the right. */
  readonly movedLines: readonly number[];
}

/** Parses JSON or YAML. Throws `CannotJudge` with the file's name and the place. */
export const parseText = (text: string, name: string): Json => parseLeniently(text, name).value;

/** Such as a file of approvals without an entry. */
const onlyComments = /^(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t\r]*(?:#[^\n]*)?$/;

/** Each repair reads the whole text again. */
const mostRepairs = 100;

/**
 * Parses also YAML in which the lines of a flow collection start too far to the left, such as a `]` at
 * the column of its key. YAML forbids that, but common parsers read it.
 */
export function parseLeniently(text: string, name: string): ParsedText {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (onlyComments.test(content)) return { value: null, text: content, movedLines: [] };
  if (/^\s*[[{]/.test(content)) {
    const value = parseJson(content, name);
    if (value !== undefined) return { value, text: content, movedLines: [] };
  }
  const movedLines: number[] = [];
  for (let repaired = content; ;) {
    try {
      return { value: parseYaml(repaired, name), text: repaired, movedLines };
    } catch (error) {
      const line = misplacedLine(error);
      if (line === undefined || movedLines.length >= mostRepairs || movedLines.includes(line)) {
        throw reasonOf(error, name, movedLines);
      }
      movedLines.push(line);
      const lines = repaired.split("\n");
      // Further than any key of a document stands.
      lines[line - 1] = `${" ".repeat(deepest)}${lines[line - 1] ?? ""}`;
      repaired = lines.join("\n");
    }
  }
}

function parseYaml(content: string, name: string): Json {
  const value = load(content, { filename: name, schema: yaml, maxDepth: deepest }) as Json;
  checkSize(value, content, name);
  return value;
}

/** The line, counted from 1, that starts too far to the left; undefined for other faults. */
function misplacedLine(error: unknown): number | undefined {
  const isIt = error instanceof YAMLException && error.reason === "deficient indentation";
  return isIt && error.mark ? error.mark.line + 1 : undefined;
}

function reasonOf(error: unknown, name: string, movedLines: readonly number[]): unknown {
  if (!(error instanceof YAMLException)) return error;
  const { reason, mark } = error;
  const moved = mark && movedLines.includes(mark.line + 1) ? deepest : 0;
  const place = mark ? `:${mark.line + 1}:${Math.max(mark.column - moved, 0) + 1}` : "";
  return new CannotJudge(`${name}${place} is neither JSON nor YAML: ${reason}`);
}

const number = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const mark = "\u0000integer ";

/** A number that a double may not hold exactly. A document without one, as most are, is parsed only once. */
const mayBeInexact = /(?<![\d.])\d{16}[\d.eE+-]{0,400}(?=[\s,}\]])|\d[eE]\+?\d{1,3}(?=[\s,}\]])/;

/** Parses JSON; integers that a double cannot hold stay exact. Throws if the text is not JSON. */
function parseExactly(content: string): Json {
  const value = JSON.parse(content) as Json;
  if (!mayBeInexact.test(content)) return value;
  return JSON.parse(markIntegers(content), (_, each: Json) =>
    typeof each === "string" && each.startsWith(mark) ? numericOf(each.slice(mark.length)) : each,
  ) as Json;
}

/** JSON with strings for the integers that a double cannot hold. */
function markIntegers(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length;) {
    const string = json.indexOf('"', at);
    const end = string === -1 ? json.length : string;
    parts.push(
      json
        .slice(at, end)
        .replaceAll(number, (text) =>
          typeof numericOf(text) === "number" ? text : JSON.stringify(`${mark}${text}`),
        ),
    );
    at = string === -1 ? json.length : endOfString(json, string);
    parts.push(json.slice(end, at));
  }
  return parts.join("");
}

/** The offset behind the string of a JSON text that starts at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Undefined if the text is not JSON. Throws `CannotJudge` for ambiguous JSON. */
function parseJson(content: string, name: string): Json | undefined {
  let value: Json;
  try {
    value = parseExactly(content);
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
function checkSize(root: Json, content: string, name: string): void {
  const sizes = new Map<object, number>();
  const keys: string[] = [];
  const placeOf = (place: readonly string[]): string => {
    const pointer = pointerOf(place);
    const { line, column } = positionsOf(content, [pointer]).get(pointer) ?? { line: 1, column: 1 };
    return `${name}:${line}:${column}`;
  };
  const sizeOf = (value: Json): number => {
    if (value === null || typeof value !== "object") return 1;
    const earlierSize = sizes.get(value);
    if (earlierSize === Infinity) {
      throw new CannotJudge(
        `${placeOf(keys)}: a YAML alias refers to a node that contains the alias; write the value out`,
      );
    }
    if (earlierSize !== undefined) return earlierSize;
    sizes.set(value, Infinity);
    let size = 1;
    for (const [key, each] of Object.entries(value) as [string, Json][]) {
      keys.push(key);
      size += sizeOf(each);
      keys.pop();
    }
    sizes.set(value, size);
    return size;
  };
  if (sizeOf(root) <= mostValues) return;
  const [largest] = Object.entries(isObject(root) ? root : {}).toSorted(
    ([, left], [, right]) => sizeOf(right) - sizeOf(left),
  );
  throw new CannotJudge(
    `${placeOf(largest === undefined ? [] : [largest[0]])}: with its YAML aliases written out the document has more than ${mostValues} values; use fewer aliases`,
  );
}

export type Version = "3.0" | "3.1" | "3.2";

/**
 * The version of an OpenAPI document. Throws `CannotJudge` for a document that is not OpenAPI 3.0,
 * 3.1 or 3.2.
 */
export function versionOf(root: Json, name: string): Version {
  const expected = "expected an OpenAPI 3.0, 3.1 or 3.2 document";
  if (!isObject(root)) throw new CannotJudge(`${name}: ${expected}, got ${kindOf(root)}`);
  const { openapi, swagger } = root;
  if (openapi !== undefined && swagger !== undefined) {
    throw new CannotJudge(
      `${name} declares two versions, openapi ${String(openapi)} and swagger ${String(swagger)}; keep one`,
    );
  }
  if (swagger !== undefined) {
    throw new CannotJudge(
      `${name} is a Swagger ${String(swagger)} document; convert it to OpenAPI 3 first, for example with npx swagger2openapi`,
    );
  }
  const version = /^3\.([012])(?:\.\d+)?(?:-.*)?$/.exec(String(openapi))?.[1];
  if (version === undefined) {
    const actual = openapi === undefined ? "no member openapi" : `openapi: ${String(openapi)}`;
    throw new CannotJudge(`${name}: ${expected}, got ${actual}`);
  }
  checkPaths(root, name);
  return `3.${version}` as Version;
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
