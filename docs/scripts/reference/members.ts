import type { JsonSchema } from "@security-platform/spec";
import { code, prose, table } from "./markdown.ts";
import { alternatives, referenceName, resolve, ruleTexts, typeText } from "./schema.ts";
import type { Components } from "./schema.ts";

interface Member {
  /** `indicators[].metadata.filename`. */
  readonly path: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** Position of a walk through a schema. */
interface Place {
  readonly path: string;
  /** Names of the enclosing schemas. */
  readonly above: readonly string[];
  readonly depth: number;
}

/** Deeper members are omitted, because an example shows them better. */
const depthLimit = 4;
const root: Place = { path: "", above: [], depth: 0 };

/**
 * The table of a body's members; nested members are listed by path. For a list, the table shows the members
 * of the entries. The tables of alternative schemas follow. `starred` explains the star at a name. Returns
 * blocks of Markdown; none for a body without named members.
 */
export function memberTables(
  schema: JsonSchema,
  components: Components,
  starred: string,
): readonly string[] {
  const walk = new MemberWalk(components);
  const { items } = resolve(schema, components);
  const own = walk.membersOf((items as JsonSchema | undefined) ?? schema, root);
  const blocks = [...memberTable(own, components, starred)];
  // The walk may add further choices during the loop.
  for (const name of walk.choices) {
    const choice = { $ref: `#/components/schemas/${name}` };
    const { description } = resolve(choice, components);
    blocks.push(`### ${name}`, typeof description === "string" ? prose(description) : "");
    blocks.push(...memberTable(walk.membersOf(choice, root), components, starred));
  }
  return blocks;
}

function memberTable(
  members: readonly Member[],
  components: Components,
  starred: string,
): readonly string[] {
  const rows = members.map(({ path, required, schema }) => [
    nameCell(path, required, schema, components),
    describe(schema, components),
  ]);
  const legend = members.some(({ required }) => required) ? String.raw`\* ${starred}` : "";
  return [table(["Member", "Description"], rows), legend];
}

/** A name, with a star if it is required, and its type below it to save width. */
export const nameCell = (
  name: string,
  required: boolean,
  schema: JsonSchema,
  components: Components,
): string => `${code(name)}${required ? " *" : ""}<br>${prose(typeText(schema, components))}`;

/** The purpose of a value, then its rules. */
export function describe(schema: JsonSchema, components: Components): string {
  const { description } = resolve(schema, components);
  const rules = ruleTexts(schema, components).join("; ");
  const text = typeof description === "string" ? prose(description) : "";
  if (rules === "") return text;
  return `${text}${text === "" ? "" : " "}_${sentence(rules)}_`;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

class MemberWalk {
  /** Schemas with their own tables, in the order in which they are found. */
  readonly choices = new Set<string>();
  readonly #components: Components;

  constructor(components: Components) {
    this.#components = components;
  }

  membersOf(reference: JsonSchema, { path, above, depth }: Place): readonly Member[] {
    const name = referenceName(reference);
    // The table of a recursive schema already exists.
    if (depth > depthLimit || (name !== undefined && above.includes(name))) return [];
    const inside = name === undefined ? above : [...above, name];
    const schema = resolve(reference, this.#components);
    const members: Member[] = [];
    const go = (part: unknown, at: string, deeper: number): void => {
      const place = { path: at, above: inside, depth: depth + deeper };
      addMissing(members, this.membersOf(part as JsonSchema, place));
    };

    for (const part of [...this.#inlineChoices(schema), ...partsOf(schema)]) go(part, path, 0);
    if (schema["items"] !== undefined) go(schema["items"], `${path}[]`, 0);
    const required = (schema["required"] as string[] | undefined) ?? [];
    for (const [key, property] of Object.entries(propertiesOf(schema))) {
      const at = path === "" ? key : `${path}.${key}`;
      addMissing(members, [{ path: at, required: required.includes(key), schema: property }]);
      go(property, at, 1);
    }
    const values = schema["additionalProperties"];
    if (typeof values === "object") go(values, path === "" ? "{}" : `${path}.{}`, 1);
    return members;
  }

  /** The alternatives to list inline; several named alternatives get tables of their own. */
  #inlineChoices(schema: JsonSchema): readonly JsonSchema[] {
    const choices = distinctChoices(schema);
    const named = choices.flatMap((choice) => {
      const isObject = resolve(choice, this.#components)["properties"] !== undefined;
      return isObject ? (referenceName(choice) ?? []) : [];
    });
    if (named.length < 2) return choices;
    for (const name of named) this.choices.add(name);
    return choices.filter((choice) => !named.includes(referenceName(choice) ?? ""));
  }
}

const partsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema["allOf"] as JsonSchema[] | undefined) ?? [];

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema["properties"] as Record<string, JsonSchema> | undefined) ?? {};

/** For "one, or a list of them" only the single one, because the list has the same members. */
function distinctChoices(schema: JsonSchema): readonly JsonSchema[] {
  const choices = alternatives(schema);
  const names = choices.map(referenceName);
  return choices.filter(({ items }) => {
    const name = items === undefined ? undefined : referenceName(items as JsonSchema);
    return name === undefined || !names.includes(name);
  });
}

/** Alternatives may share members, so each path is listed once. */
function addMissing(members: Member[], more: readonly Member[]): void {
  for (const member of more) {
    if (!members.some(({ path }) => path === member.path)) members.push(member);
  }
}
