import type { Problem } from "../foundation/errors.ts";
import { hasNormalForm, inNormalForm } from "./normal-form.ts";
import { resolved, type Schema } from "./resolved.ts";

/**
 * Rewrites the alternative spellings that the document declares into the one spelling that the rest of the
 * server knows. `x-aliases` maps an accepted name to the documented one, which is dotted if the value belongs
 * inside an object. Of several texts for a value, its normal form is selected. Returns undefined if the schema
 * has neither aliases nor normal forms.
 */
export function aliasRewriter(
  schema: Schema,
): ((value: unknown, place: string) => readonly Problem[]) | undefined {
  const rewriter = rewriterOf(schema);
  if (rewriter === undefined) return undefined;
  return (value, place) => {
    const problems: Problem[] = [];
    rewrite(rewriter, value, place, problems);
    return problems;
  };
}

/** What a schema says about spellings. */
interface Rewriter {
  aliases: readonly (readonly [alias: string, name: string])[];
  members: readonly Member[];
  /** Rewriters of other schemas that may describe the same value. */
  alternatives: readonly Rewriter[];
  items: Rewriter | undefined;
  mostItems: number;
}

interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isNormalized: boolean;
  readonly rewriter: Rewriter;
}

/**
 * The rewriter of a schema, without parts that have no aliases and need no other form. Undefined if no part is left.
 */
function rewriterOf(schema: Schema): Rewriter | undefined {
  const rewriters = new Map<Schema, Rewriter>();
  const rewriter = newRewriter(schema, rewriters);
  const effective = new Set<Rewriter>();
  const hasEffect = ({ aliases, members, alternatives, items }: Rewriter): boolean =>
    aliases.length > 0 ||
    members.some((member) => member.isNormalized || effective.has(member.rewriter)) ||
    alternatives.some((part) => effective.has(part)) ||
    (items !== undefined && effective.has(items));
  // Schemas refer to each other in circles, so one pass is not enough.
  for (let before = -1; before < effective.size;) {
    before = effective.size;
    for (const each of rewriters.values()) if (hasEffect(each)) effective.add(each);
  }
  for (const each of rewriters.values()) {
    each.members = each.members.filter(
      (member) => member.isNormalized || effective.has(member.rewriter),
    );
    each.alternatives = each.alternatives.filter((part) => effective.has(part));
    if (each.items !== undefined && !effective.has(each.items)) each.items = undefined;
  }
  return effective.has(rewriter) ? rewriter : undefined;
}

function newRewriter(schemaOrReference: Schema, rewriters: Map<Schema, Rewriter>): Rewriter {
  const schema = resolved(schemaOrReference);
  const begun = rewriters.get(schema);
  if (begun !== undefined) return begun;
  const aliases = (schema["x-aliases"] as Record<string, string> | undefined) ?? {};
  const properties = (schema["properties"] as Record<string, Schema> | undefined) ?? {};
  const items = schema["items"] as Schema | undefined;
  const rewriter: Rewriter = {
    aliases: Object.entries(aliases),
    members: [],
    alternatives: [],
    items: undefined,
    mostItems: Number(schema["maxItems"] ?? Infinity),
  };
  rewriters.set(schema, rewriter);
  rewriter.members = Object.entries(properties).map(([name, reference]) => {
    const inner = resolved(reference);
    const isNormalized = hasNormalForm(inner);
    return { name, schema: inner, isNormalized, rewriter: newRewriter(inner, rewriters) };
  });
  rewriter.alternatives = ["oneOf", "anyOf", "allOf"].flatMap((keyword) =>
    ((schema[keyword] as Schema[] | undefined) ?? []).map((part) => newRewriter(part, rewriters)),
  );
  if (items !== undefined) rewriter.items = newRewriter(items, rewriters);
  return rewriter;
}

function rewrite(rewriter: Rewriter, value: unknown, place: string, problems: Problem[]): void {
  if (value === null || typeof value !== "object") return;
  const { aliases, members, alternatives, items, mostItems } = rewriter;
  for (const alternative of alternatives) rewrite(alternative, value, place, problems);
  if (Array.isArray(value)) {
    // Validation refuses a list that is too long, whatever its items are.
    if (items === undefined || value.length > mostItems) return;
    for (const [index, item] of value.entries()) {
      rewrite(items, item, `${place}[${index}]`, problems);
    }
    return;
  }
  const record = value as Record<string, unknown>;
  for (const [alias, name] of aliases) {
    if (!Object.hasOwn(record, alias)) continue;
    if (!move(record, alias, name)) {
      problems.push({
        at: `${place}.${alias}`,
        message: `is an alias of ${name}; send only one of them`,
      });
    }
  }
  for (const { name, schema, isNormalized, rewriter: inner } of members) {
    if (!Object.hasOwn(record, name)) continue;
    if (isNormalized) record[name] = inNormalForm(schema, record[name]);
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
