import { isObject, type Json, type JsonObject } from "../../src/json.ts";

/** A source of numbers that a seed repeats. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 on, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }
}

interface Place {
  readonly parent: Record<string, Json> | Json[];
  readonly key: string | number;
  readonly value: Json;
}

/** Texts for people, which few edits should hit. */
const prose = new Set(["description", "summary", "example", "examples", "title"]);

/** The values of a document with their places, without texts for people. */
function placesOf(root: JsonObject): readonly Place[] {
  const places: Place[] = [];
  const open: (Record<string, Json> | Json[])[] = [root as Record<string, Json>];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const entries: readonly (readonly [string | number, Json])[] = Array.isArray(parent)
      ? parent.map((value, index) => [index, value])
      : Object.entries(parent);
    for (const [key, value] of entries) {
      if (prose.has(String(key)) && !isObject(value)) continue;
      places.push({ parent, key, value });
      if (value !== null && typeof value === "object") open.push(value as Record<string, Json>);
    }
  }
  return places;
}

const words = "# #/components/schemas/None a x- 3.0.0 object array null integer ^(a+)+$ [ {".split(
  " ",
);
const scalars: readonly Json[] = [null, true, false, 0, -1, 1.5, 1e300, "", "\u0000", ...words];
const keywords =
  `type enum const minimum exclusiveMaximum maxLength pattern format items prefixItems required
  properties additionalProperties allOf anyOf oneOf not if then nullable discriminator default $ref readOnly
  deprecated style explode content schema parameters responses security servers callbacks itemSchema
  additionalOperations xml`.split(/\s+/);

const clone = (value: Json): Json => structuredClone(value) as Json;

/** Edits that know the structure of a document: each changes one place. */
const edits: Readonly<
  Record<string, (place: Place, random: Random, all: readonly Place[], root: JsonObject) => void>
> = {
  remove: ({ parent, key }) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  },
  scalar: (place, random) => put(place, random.pick(scalars) ?? null),
  copy: (place, random, all) => put(place, clone(random.pick(all)?.value ?? null)),
  duplicate: ({ parent, key, value }) => {
    if (Array.isArray(parent)) parent.push(clone(value));
    else parent[`${key}2`] = clone(value);
  },
  rename: ({ parent, key, value }, random) => {
    if (Array.isArray(parent)) return;
    delete parent[key];
    parent[random.pick(keywords) ?? "x"] = value;
  },
  keyword: ({ value }, random, all) => {
    if (!isObject(value)) return;
    const name = random.pick(keywords) ?? "type";
    const donor = random.pick(all.filter(({ key }) => key === name)) ?? random.pick(all);
    (value as Record<string, Json>)[name] = clone(donor?.value ?? {});
  },
  wrap: (place, random) =>
    put(place, { [random.pick(["allOf", "oneOf", "anyOf"]) ?? "allOf"]: [place.value, {}] }),
  list: (place) => put(place, [place.value]),
  refer: (place, random, _, root) => {
    const { components } = root;
    const schemas = isObject(components) ? components["schemas"] : undefined;
    const name = random.pick(isObject(schemas) ? Object.keys(schemas) : []);
    if (name !== undefined) put(place, { $ref: `#/components/schemas/${name}` });
  },
  number: (place, random) => {
    if (typeof place.value === "number") put(place, place.value + random.below(5) - 2);
  },
  swap: (place, random, all) => {
    const other = random.pick(all);
    if (other === undefined) return;
    const value = clone(other.value);
    put(other, clone(place.value));
    put(place, value);
  },
};

function put({ parent, key }: Place, value: Json): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else parent[key] = value;
}

/** A copy of a document with up to four edits, and what they are. */
export function edited(
  root: JsonObject,
  random: Random,
): { readonly root: JsonObject; readonly names: readonly string[] } {
  const copy = clone(root) as JsonObject;
  const names: string[] = [];
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const all = placesOf(copy);
    const place = random.pick(all);
    const name = random.pick(Object.keys(edits));
    if (place === undefined || name === undefined) break;
    edits[name]?.(place, random, all, copy);
    names.push(`${name} at ${String(place.key)}`);
  }
  return { root: copy, names };
}

/** The same document with the members of its objects in another order. */
export function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, each]) => [name, reordered(each)]));
}
