import type { Problem } from "../../errors.ts";
import { inNormalForm } from "./normal-form.ts";
import { resolved, type Schema } from "../../validation/schema-validator.ts";

/**
 * Rewrites the alternative spellings that the document declares into the one spelling that the rest of the
 * server knows. `x-aliases` maps an accepted name to the documented one, which is dotted if the value belongs
 * inside an object. `x-normal-form` selects one of several texts for a value. Returns undefined if the schema
 * declares none.
 */
export function aliasRewriter(
  schema: Schema,
): ((value: unknown, place: string) => readonly Problem[]) | undefined {
  return declaresAliases(schema, new Set())
    ? (value, place) => {
        const problems: Problem[] = [];
        rewrite(schema, value, place, problems);
        return problems;
      }
    : undefined;
}

/** The schemas that may describe a value of `schema`. */
const alternatives = (schema: Schema): readonly Schema[] =>
  ["oneOf", "anyOf", "allOf"].flatMap((keyword) => (schema[keyword] as Schema[] | undefined) ?? []);

function declaresAliases(schemaOrReference: Schema, seen: Set<Schema>): boolean {
  const schema = resolved(schemaOrReference);
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema["x-aliases"] !== undefined || schema["x-normal-form"] !== undefined) return true;
  const inner = [
    ...Object.values((schema["properties"] as Record<string, Schema> | undefined) ?? {}),
    ...(schema["items"] === undefined ? [] : [schema["items"] as Schema]),
    ...alternatives(schema),
  ];
  return inner.some((part) => declaresAliases(part, seen));
}

function rewrite(
  schemaOrReference: Schema,
  value: unknown,
  place: string,
  problems: Problem[],
): void {
  if (value === null || typeof value !== "object") return;
  const schema = resolved(schemaOrReference);
  for (const alternative of alternatives(schema)) rewrite(alternative, value, place, problems);
  if (Array.isArray(value)) {
    const items = schema["items"] as Schema | undefined;
    // Validation refuses a list that is too long, whatever its items are.
    if (items === undefined || value.length > Number(schema["maxItems"] ?? Infinity)) return;
    for (const [index, item] of value.entries())
      rewrite(items, item, `${place}[${index}]`, problems);
    return;
  }
  const record = value as Record<string, unknown>;
  const aliases = schema["x-aliases"] as Record<string, string> | undefined;
  for (const [alias, name] of Object.entries(aliases ?? {})) {
    if (!Object.hasOwn(record, alias)) continue;
    if (!move(record, alias, name)) {
      problems.push({
        at: `${place}.${alias}`,
        message: `is an alias of ${name}; send only one of them`,
      });
    }
  }
  const properties = (schema["properties"] as Record<string, Schema> | undefined) ?? {};
  for (const [name, inner] of Object.entries(properties)) {
    if (!Object.hasOwn(record, name)) continue;
    record[name] = inNormalForm(resolved(inner), record[name]);
    rewrite(inner, record[name], `${place}.${name}`, problems);
  }
}

/** Returns false if the value has both spellings. */
function move(record: Record<string, unknown>, alias: string, name: string): boolean {
  const parts = name.split(".");
  const last = parts.pop() ?? name;
  let target = record;
  for (const part of parts) {
    const inner = (target[part] ??= {});
    if (inner === null || typeof inner !== "object") return false;
    target = inner as Record<string, unknown>;
  }
  if (Object.hasOwn(target, last)) return false;
  target[last] = record[alias];
  delete record[alias];
  return true;
}
