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

/** Deeper members are left to the tables of their own schema. */
const depthLimit = 4;

/**
 * The table of a body's members, nested ones by path; of a list, those of its entries. Empty for a
 * body without named members.
 */
export function memberTable(schema: JsonSchema, components: Components): string {
  const { items } = resolve(schema, components);
  return table(
    ["Member", "Type", "Description"],
    membersOf((items as JsonSchema | undefined) ?? schema, components, "", [], 0).map(
      ({ path, required, schema: member }) => [
        `${code(path)}${required ? " *" : ""}`,
        prose(typeText(member, components)),
        describe(member, components),
      ],
    ),
  );
}

/** What a value is for, then what it must keep to. */
export function describe(schema: JsonSchema, components: Components): string {
  const { description } = resolve(schema, components);
  const rules = ruleTexts(schema, components).join("; ");
  const text = typeof description === "string" ? prose(description) : "";
  if (rules === "") return text;
  return `${text}${text === "" ? "" : " "}_${sentence(rules)}_`;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

function membersOf(
  given: JsonSchema,
  components: Components,
  path: string,
  above: readonly string[],
  depth: number,
): readonly Member[] {
  const name = referenceName(given);
  // A schema inside itself has its table already.
  if (depth > depthLimit || (name !== undefined && above.includes(name))) return [];
  const inside = name === undefined ? above : [...above, name];
  const schema = resolve(given, components);
  const go = (part: JsonSchema, partPath: string, partDepth: number): readonly Member[] =>
    membersOf(part, components, partPath, inside, partDepth);

  const members: Member[] = [];
  for (const choice of distinctChoices(schema)) addMissing(members, go(choice, path, depth));
  for (const part of (schema["allOf"] as JsonSchema[] | undefined) ?? []) {
    addMissing(members, go(part, path, depth));
  }
  if (schema["items"] !== undefined) {
    addMissing(members, go(schema["items"] as JsonSchema, `${path}[]`, depth));
  }
  const required = (schema["required"] as string[] | undefined) ?? [];
  const properties = (schema["properties"] as Record<string, JsonSchema> | undefined) ?? {};
  for (const [key, property] of Object.entries(properties)) {
    const at = path === "" ? key : `${path}.${key}`;
    addMissing(members, [{ path: at, required: required.includes(key), schema: property }]);
    addMissing(members, go(property, at, depth + 1));
  }
  const values = schema["additionalProperties"];
  if (typeof values === "object" && values !== null) {
    addMissing(members, go(values as JsonSchema, path === "" ? "{}" : `${path}.{}`, depth + 1));
  }
  return members;
}

/** Of "one, or a list of them" only the one: the list has the same members. */
function distinctChoices(schema: JsonSchema): readonly JsonSchema[] {
  const choices = alternatives(schema);
  const names = choices.map(referenceName);
  return choices.filter(({ items }) => {
    const name = items === undefined ? undefined : referenceName(items as JsonSchema);
    return name === undefined || !names.includes(name);
  });
}

/** Alternatives share members: each path is listed once. */
function addMissing(members: Member[], more: readonly Member[]): void {
  for (const member of more) {
    if (!members.some(({ path }) => path === member.path)) members.push(member);
  }
}
