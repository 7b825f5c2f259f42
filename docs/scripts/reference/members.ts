import { completeDocument, type JsonSchema } from "@security-platform/spec";
import { escape, htmlBlock, pageAddress, proseHtml } from "./html.ts";
import { linkedProseHtml } from "./mentions.ts";
import { schemaLink } from "./places.ts";
import { alternatives, isObject, referenceName, resolve, ruleTexts, typeText } from "./schema.ts";
import type { Components } from "./schema.ts";

/** A named value: a member of a body, a parameter, a header. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Where it stands, for example `query`. */
  readonly place?: string;
  /** An anchor of the page. Default: the name after the anchor of the value that contains it. */
  readonly anchor?: string;
}

/** Where a list of members stands. */
interface Level {
  /** Names of the schemas that contain it. */
  readonly above: readonly string[];
  readonly depth: number;
  /** The anchor of the value that contains it. */
  readonly anchor: string;
}

/** What a value contains: the members of one schema, or a schema that its own page describes. */
export interface Inside {
  /** Null for a schema without a name. */
  readonly name: string | null;
  /** Null: see the page of the schema. */
  readonly members: readonly Member[] | null;
}

/** Which members get a tag: in requests the required ones, in responses those that may be absent. */
export type Side = "request" | "response";

/** The deepest level that is unfolded in place. Deeper members are on the page of their schema. */
export const deepest = 3;
/** The first level is open if it has no more members than this. */
const fewMembers = 3;

/**
 * The members of a body as a tree that unfolds. For a list, the members of the entries. Empty for a body without
 * named members. The anchors of the members start with `anchor`, which no other part of the page has.
 */
export function memberTree(
  schema: JsonSchema,
  components: Components,
  side: Side,
  anchor: string,
): string {
  const tree = new MemberTree(components, side);
  const insides = insidesOf(schema, components, []);
  const level = { above: [], depth: 0, anchor };
  const html = insides.map((inside) => tree.inside(inside, level, insides.length > 1)).join("");
  return html === "" ? "" : htmlBlock("members", html);
}

/** Named values, each with its members. */
export function memberList(members: readonly Member[], components: Components, side: Side): string {
  if (members.length === 0) return "";
  const level = { above: [], depth: 0, anchor: "" };
  return htmlBlock("members", new MemberTree(components, side).list(members, level));
}

/** Whether the schema is an object of the reference. The control plane has schemas of its own, without pages. */
export const hasPage = (name: string, components: Components): boolean =>
  isObject(name, components) && completeDocument().components.schemas[name] === components[name];

/** A type, whose schemas link to their pages. */
export const typeHtml = (schema: JsonSchema, components: Components): string =>
  escape(typeText(schema, components)).replaceAll(/\b[A-Z]\w+\b/g, (name) =>
    hasPage(name, components) ? `<a href="${pageAddress(schemaLink(name))}">${name}</a>` : name,
  );

class MemberTree {
  readonly #components: Components;
  readonly #side: Side;
  /** Alternatives may have members of the same name. */
  readonly #anchors = new Map<string, number>();

  constructor(components: Components, side: Side) {
    this.#components = components;
    this.#side = side;
  }

  list(members: readonly Member[], level: Level): string {
    const isOpen = level.depth === 0 && members.length <= fewMembers;
    return members.map((member) => this.#member(member, level, isOpen)).join("");
  }

  #member(member: Member, level: Level, isOpen: boolean): string {
    const { name, required, schema, place } = member;
    const anchor = this.#unused(member.anchor ?? `${level.anchor}.${name}`);
    const head = [
      `<code class="member-name">${escape(name)}</code>`,
      `<span class="member-type">${typeHtml(schema, this.#components)}</span>`,
      ...(place === undefined ? [] : [`<span class="member-place">${escape(place)}</span>`]),
      ...this.#presence(required),
      ...(schema["deprecated"] === true
        ? [`<span class="member-deprecated">deprecated</span>`]
        : []),
      anchorLink(anchor, name),
    ];
    const insides = insidesOf(schema, this.#components, level.above);
    const inner = insides
      .map((inside) =>
        this.#unfolding(inside, { ...level, anchor }, { isOpen, isChoice: insides.length > 1 }),
      )
      .join("");
    return `<div class="member" id="${escape(anchor)}"><div class="member-head">${head.join(" ")}</div>${this.#text(schema)}${inner}</div>`;
  }

  #unused(anchor: string): string {
    const uses = (this.#anchors.get(anchor) ?? 0) + 1;
    this.#anchors.set(anchor, uses);
    return uses === 1 ? anchor : `${anchor}-${uses}`;
  }

  #presence(required: boolean): readonly string[] {
    if (this.#side === "request") {
      return required ? ['<span class="member-required">required</span>'] : [];
    }
    return required ? [] : ['<span class="member-optional">may be absent</span>'];
  }

  /** The purpose of a value, then its rules. */
  #text(schema: JsonSchema): string {
    const { description } = resolve(schema, this.#components);
    const rules = ruleTexts(schema, this.#components).join("; ");
    const purpose = typeof description === "string" ? `<p>${linkedProseHtml(description)}</p>` : "";
    return rules === ""
      ? purpose
      : `${purpose}<p class="member-rules">${proseHtml(sentence(rules))}</p>`;
  }

  #unfolding(
    inside: Inside,
    level: Level,
    { isOpen, isChoice }: { readonly isOpen: boolean; readonly isChoice: boolean },
  ): string {
    const { name, members } = inside;
    const page = name !== null && hasPage(name, this.#components) ? name : null;
    if (members === null) return page === null ? "" : seePage(page);
    if (level.depth >= deepest && page !== null) return seePage(page);
    if (members.length === 0) return "";
    const title = name === null ? "Members" : `${isChoice ? "As " : ""}${escape(name)}`;
    const count = `<span class="member-count">${members.length}</span>`;
    const deeper = this.list(members, within(level, name));
    return `<details${isOpen ? " open" : ""}><summary>${title} ${count}</summary>${deeper}</details>`;
  }

  /** The members of a body, without a summary unless there are several alternatives. */
  inside(inside: Inside, level: Level, isChoice: boolean): string {
    if (isChoice) return this.#unfolding(inside, level, { isOpen: false, isChoice });
    const { name, members } = inside;
    return this.list(members ?? [], { ...within(level, name), depth: level.depth });
  }
}

/** What a value contains; several for alternatives. */
export function insidesOf(
  reference: JsonSchema,
  components: Components,
  above: readonly string[],
): readonly Inside[] {
  const name = referenceName(reference);
  if (name !== undefined && above.includes(name)) return [{ name, members: null }];
  const schema = resolve(reference, components);
  const inside = name === undefined ? above : [...above, name];
  const { items, additionalProperties: values } = schema;
  if (items !== undefined) return insidesOf(items as JsonSchema, components, inside);
  const own = membersOf(schema, components);
  const parts = [
    ...alternatives(schema),
    ...(typeof values === "object" ? [values as JsonSchema] : []),
  ];
  const others = distinct(parts.flatMap((part) => insidesOf(part, components, inside)));
  return own.length === 0 ? others : [{ name: name ?? null, members: own }, ...others];
}

function membersOf(schema: JsonSchema, components: Components): readonly Member[] {
  const required = (schema["required"] as string[] | undefined) ?? [];
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const members = Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }));
  const parts = (schema["allOf"] as JsonSchema[] | undefined) ?? [];
  for (const part of parts) {
    for (const member of membersOf(resolve(part, components), components)) {
      if (!members.some(({ name }) => name === member.name)) members.push(member);
    }
  }
  return members;
}

/** The level below a schema. */
const within = ({ above, depth, anchor }: Level, name: string | null): Level => ({
  above: name === null ? above : [...above, name],
  depth: depth + 1,
  anchor,
});

/** A link to a part of the page, to be copied. */
export const anchorLink = (anchor: string, name: string): string =>
  `<a class="anchor-link" href="#${escape(encodeURIComponent(anchor))}" aria-label="Link to ${escape(name)}">#</a>`;

const seePage = (name: string): string =>
  `<p class="member-see">Members: see <a href="${pageAddress(schemaLink(name))}">${escape(name)}</a>.</p>`;

/** "One, or a list of them" has the same members twice. */
function distinct(insides: readonly Inside[]): readonly Inside[] {
  const names = new Set<string>();
  return insides.filter(({ name }) => {
    if (name === null) return true;
    if (names.has(name)) return false;
    names.add(name);
    return true;
  });
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
