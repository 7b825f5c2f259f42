import type { Finding, Sides } from "../change.ts";
import { canonicalText, isObject, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { child, tokensOf } from "../read/pointer.ts";

/** Longer values are cut: a report is read by people. */
const longest = 400;

/** Changes at an operation or a parameter that concern only some of its members. */
const concerned: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:security-(?:tightened|loosened)|scope-)/, ["security"]],
  [/^operation-id-/, ["operationId"]],
  [/^tag-/, ["tags"]],
  [/^parameter-became-/, ["required"]],
  [/^parameter-serialization-/, ["style", "explode", "allowReserved", "content"]],
  [/^server-variable-/, ["default", "enum"]],
];

/**
 * The old and the new value of a change as JSON: what it says itself, or those at its place. Undefined
 * where a document has none. Two equal values do not show a change, so neither is shown.
 */
export function valuesOf(
  { rule, values }: Pick<Finding, "rule" | "values">,
  pointers: Sides<string>,
  base: LoadedDocument,
  revision: LoadedDocument,
): Sides<string | undefined> {
  if (values !== undefined) return { base: textOf(values.base), revision: textOf(values.revision) };
  const [before, after] = [at(base, pointers.base), at(revision, pointers.revision)];
  const members = concerned.find(([pattern]) => pattern.test(rule))?.[1];
  const [old, now] = differing(before, after, members);
  const texts = { base: textOf(old), revision: textOf(now) };
  if (texts.base !== texts.revision) return texts;
  const [behind, other] = differing(target(base, before), target(revision, after), members);
  const targets = { base: textOf(behind), revision: textOf(other) };
  return targets.base === targets.revision ? { base: undefined, revision: undefined } : targets;
}

/** What a schema that has more than a reference refers to. */
function target(document: LoadedDocument, value: Json | undefined): Json | undefined {
  const isReference = isObject(value) && typeof value["$ref"] === "string";
  return isReference ? document.resolveSchema(document.target(value)) : undefined;
}

function at(document: LoadedDocument, pointer: string): Json | undefined {
  let value: Json | undefined = document.fileAt(pointer).root;
  for (const token of tokensOf(pointer.replace(/^[^#]*#/, "")) ?? []) value = child(value, token);
  return value;
}

/** Of two objects, only the members that differ. */
function differing(
  before: Json | undefined,
  after: Json | undefined,
  members?: readonly string[],
): readonly [Json | undefined, Json | undefined] {
  if (!isObject(before) || !isObject(after)) return [before, after];
  const all = members ?? [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const names = all.filter(
    (name) => name !== "description" && excerpt(before[name]) !== excerpt(after[name]),
  );
  if (names.length === 0) return [before, after];
  const pick = (from: JsonObject): JsonObject =>
    Object.fromEntries(
      names.flatMap((name): [string, Json][] => {
        const value = from[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  return [pick(before), pick(after)];
}

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = excerpt(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** The start of a value as JSON. With YAML aliases a whole value may be longer than the memory. */
function excerpt(value: Json | undefined): string {
  let text = "";
  const write = (each: Json | undefined): void => {
    if (text.length > 10 * longest) return;
    if (each === undefined) return;
    if (each === null || typeof each !== "object") {
      text += canonicalText(each);
      return;
    }
    const isList = Array.isArray(each);
    text += isList ? "[" : "{";
    let isFirst = true;
    for (const [name, member] of Object.entries(each) as [string, Json][]) {
      if (text.length > 10 * longest) break;
      text += `${isFirst ? "" : ", "}${isList ? "" : `${JSON.stringify(name)}: `}`;
      isFirst = false;
      write(member);
    }
    text += isList ? "]" : "}";
  };
  write(value);
  return text;
}
