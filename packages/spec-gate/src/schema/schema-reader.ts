import {
  canonicalText,
  isObject,
  listOf,
  objectsOf,
  textOf,
  type Json,
  type JsonObject,
} from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { Effort } from "../effort.ts";
import { accepts, acceptsAtom } from "./accepts.ts";
import {
  anything,
  atomTypeOf,
  isAny,
  nothing,
  tooComplex,
  type Atom,
  type Canonical,
  type Conjunction,
  type SchemaNode,
} from "./canonical.ts";
import { intersect } from "./intersect.ts";
import { coerced, decidedBranch, exclusionsOf, isSchema, ownKeywords } from "./own-keywords.ts";
import { complement, distinct, isOpen, simplify } from "./simplify.ts";

/** Parts of a schema may refer to each other, so that a short one has billions of parts. */
const mostRead = 20_000;
const mostAlternatives = 2_000;

const ids = new WeakMap<object, number>();
let lastId = 1;

function idOf(node: SchemaNode): number {
  if (typeof node === "boolean") return node ? 1 : 0;
  const id = ids.get(node);
  if (id !== undefined) return id;
  ids.set(node, ++lastId);
  return lastId;
}

/** Converts the schemas of one document to canonical form, with a cache. */
export class SchemaReader {
  readonly document: LoadedDocument;
  readonly #canonical = new Map<string, Canonical>();
  readonly #outer = new Map<string, readonly JsonObject[]>();
  readonly #effort: Effort;
  /** How many more schemas may be read for the one that is being read. */
  #left = 0;

  /** Schemas of OpenAPI 3.1 with `nullable`. */
  readonly misplacedNullables = new Set<JsonObject>();
  readonly #comesFrom30: boolean;

  constructor(document: LoadedDocument, effort = new Effort(), other = document) {
    this.document = document;
    this.#effort = effort;
    this.#comesFrom30 = other.version === "3.0";
  }

  step(): void {
    this.#effort.step();
  }

  /** Equal keys are equal schemas of this document. */
  key(schema: Conjunction): string {
    if (schema.length === 1 && schema[0] !== undefined) return String(idOf(this.#end(schema[0])));
    const all = new Set(schema.map((node) => idOf(this.#end(node))));
    return [...all].toSorted((left, right) => left - right).join("&");
  }

  /** Follows references without other keywords. Throws `CannotJudge` for a cycle. */
  #end(node: SchemaNode): SchemaNode {
    let current = node;
    const seen = new Set<object>();
    while (isObject(current) && this.#isPureReference(current)) {
      if (seen.has(current)) return this.document.resolve(current);
      seen.add(current);
      current = this.document.target(current);
    }
    return current;
  }

  #isPureReference(node: JsonObject): boolean {
    if (typeof node["$ref"] !== "string") return false;
    return this.document.version === "3.0" || Object.keys(node).every((key) => key === "$ref");
  }

  canonical(schema: Conjunction): Canonical {
    const key = this.key(schema);
    const cached = this.#canonical.get(key);
    if (cached !== undefined) return cached;
    const outer = this.#left;
    this.#left = mostRead;
    let result = anything;
    for (const node of schema) result = intersect(result, this.#read(node, new Set()));
    const simple = result.isTooComplex === true ? result : simplify(this, result);
    this.#left = outer;
    this.#canonical.set(key, simple);
    return simple;
  }

  acceptsCanonical(schema: Canonical, value: Json): boolean {
    return accepts(this, schema, value);
  }

  /** Whether a schema allows a value. */
  accepts(schema: Conjunction, value: Json): boolean {
    return accepts(this, this.canonical(schema), value);
  }

  #read(node: SchemaNode, open: Set<object>): Canonical {
    if (node === true) return anything;
    if (node === false) return nothing;
    if (open.has(node)) return anything;
    this.step();
    this.#left -= 1;
    if (this.#left < 0) return tooComplex;
    open.add(node);
    try {
      return this.#readObject(node, open);
    } finally {
      open.delete(node);
    }
  }

  #readObject(node: JsonObject, open: Set<object>): Canonical {
    const hasReference = typeof node["$ref"] === "string";
    if (hasReference && this.document.version === "3.0") {
      return this.#read(this.document.target(node), open);
    }
    let result = this.#own(node);
    if (hasReference) result = intersect(this.#read(this.document.target(node), open), result);
    if (typeof node["$dynamicRef"] === "string") {
      result = intersect(result, this.#read(this.document.dynamicTarget(node), open));
    }
    for (const part of listOf(node["allOf"])) {
      if (isSchema(part)) result = intersect(result, this.#read(part, open));
    }
    const decided = decidedBranch(node);
    if (decided !== undefined) result = intersect(result, this.#read(decided, open));
    for (const keyword of ["oneOf", "anyOf"]) {
      const branches = listOf(node[keyword]).filter(isSchema);
      if (branches.length > 0) {
        result = intersect(result, this.#union(node, branches, result.nullable, open));
        // A discriminator selects the branch, also where several match.
        const isSelected = isObject(node["discriminator"]);
        if (keyword === "oneOf" && branches.length > 1 && !isSelected) {
          const choices = [...(result.choices ?? []), branches.map((branch) => [branch])];
          result = { ...result, choices };
        }
      }
    }
    if (result.isTooComplex === true) return tooComplex;
    result = this.#closeUnevaluated(node, result);
    result = this.#applyConditions(node, result);
    return this.#isNullable(node) && !result.nullable ? { ...result, nullable: true } : result;
  }

  #own(node: JsonObject): Canonical {
    const listed = Array.isArray(node["enum"]) ? (node["enum"] as readonly Json[]) : undefined;
    const constant = Object.hasOwn(node, "const") ? [node["const"] ?? null] : undefined;
    if (listed === undefined && constant === undefined) {
      return isUnconstrained(node) ? anything : ownKeywords(node);
    }
    const values = coerced(listed ?? constant ?? [], node).filter(
      (value) =>
        listed === undefined ||
        constant === undefined ||
        canonicalText(value) === canonicalText(constant[0]),
    );
    const typed = ownKeywords(node);
    const { type: _, ...untyped } = node;
    const isTyped = typed.atoms.some((atom) =>
      values.some((each) => atomTypeOf(each) === atom.type),
    );
    // If no value of the list has the declared type, the list takes precedence over the type.
    const own = isTyped ? typed : { ...ownKeywords(untyped), nullable: typed.nullable };
    const atoms = own.atoms.flatMap((atom): readonly Atom[] => {
      const allowed = values.filter(
        (value) => atomTypeOf(value) === atom.type && acceptsAtom(this, atom, value),
      );
      return allowed.length === 0 ? [] : [{ ...atom, values: distinct(allowed), conditions: [] }];
    });
    return { nullable: own.nullable && values.includes(null), atoms };
  }

  /**
   * Generators write "X or null" with a branch that allows only null, or with one that allows
   * everything, such as `{}` or `{nullable: true}`. Taken literally, the second makes every change
   * of X invisible, so it counts as null. Where it cannot mean null, because the schema has a type
   * or X has none, the union also counts as open.
   */
  #union(
    node: JsonObject,
    all: readonly SchemaNode[],
    mayBeNull: boolean,
    above: Set<object>,
  ): Canonical {
    const kinds = new Set(all.map((branch) => this.#emptiness(branch)));
    const isEmpty = kinds.has("any") || kinds.has("nullable");
    // A branch that refers back to this union adds nothing to it.
    const branches = all.filter(
      (branch) =>
        this.#emptiness(branch) === undefined &&
        !(isObject(branch) && this.#leadsTo(branch, above)),
    );
    if (isEmpty && branches.length === 0) return anything;
    const mapping = isObject(node["discriminator"]) ? node["discriminator"]["mapping"] : undefined;
    let nullable = isEmpty || kinds.has("null");
    let open = kinds.has("any") && !mayBeNull;
    const atoms: Atom[] = [];
    let choices: Canonical["choices"] = [];
    for (const branch of branches) {
      const read = this.#read(branch, above);
      if (read.isTooComplex === true || atoms.length > mostAlternatives) return tooComplex;
      // "X or null" excludes what X excludes.
      if (branches.length === 1) choices = read.choices ?? [];
      nullable ||= read.nullable;
      open ||= read.open === true || (isEmpty && isAny(read));
      const label = this.#label(branch, mapping);
      for (const atom of read.atoms) {
        const isTagged = isObject(node["discriminator"]) || atom.isTagged;
        atoms.push(
          branches.length === 1 ? atom : { ...atom, label: label ?? atom.label, isTagged },
        );
      }
    }
    return simplify(this, { nullable, open, atoms, choices });
  }

  /**
   * How a branch of a `oneOf` or `anyOf` says nothing but perhaps null; undefined if it says more.
   */
  #emptiness(branch: SchemaNode): "null" | "nullable" | "any" | undefined {
    const node = isObject(branch) ? this.#end(branch) : branch;
    if (node === true) return "any";
    if (node === false) return undefined;
    if (Object.keys(node).some((key) => asserting.has(key))) {
      const { type, const: constant, enum: values } = node;
      const isNullType =
        type === "null" || type === null || (Array.isArray(type) && `${type}` === "null");
      const isListed = Array.isArray(values) && values.length > 0 && values.every(isNull);
      return isNullType || constant === null || isListed ? "null" : undefined;
    }
    return this.#isNullable(node) ? "nullable" : "any";
  }

  /**
   * Since 3.1, OpenAPI has no `nullable`, but its authors mean it, and generators read it. In 3.0 it is
   * ignored beside `$ref`, so a document that only became one of 3.1 is read so too.
   */
  #isNullable(node: JsonObject): boolean {
    if (node["nullable"] !== true) return false;
    if (this.document.version === "3.0") return true;
    if (typeof node["$ref"] === "string" && this.#comesFrom30) return false;
    this.misplacedNullables.add(node);
    return true;
  }

  readonly #heirsByParent = new Map<JsonObject, ReadonlyMap<string, JsonObject>>();
  #heirs: ReadonlyMap<JsonObject, readonly (readonly [string, JsonObject])[]> | undefined;

  /** The components by name that have a schema among their `allOf`, directly or by another one. */
  heirsOf(parent: JsonObject): ReadonlyMap<string, JsonObject> {
    const known = this.#heirsByParent.get(parent);
    if (known !== undefined) return known;
    this.#heirs ??= this.#readHeirs();
    const found = new Map<string, JsonObject>();
    this.#heirsByParent.set(parent, found);
    const open: JsonObject[] = [parent];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const [name, heir] of this.#heirs.get(node) ?? []) {
        if (found.has(name)) continue;
        found.set(name, heir);
        open.push(heir);
      }
    }
    return found;
  }

  #readHeirs(): ReadonlyMap<JsonObject, readonly (readonly [string, JsonObject])[]> {
    const { components } = this.document.root;
    const heirs = new Map<JsonObject, (readonly [string, JsonObject])[]>();
    for (const [name, schema] of objectsOf(isObject(components) ? components["schemas"] : {})) {
      for (const part of listOf(schema["allOf"])) {
        if (!isObject(part) || typeof part["$ref"] !== "string") continue;
        const parent = this.#end(part);
        if (!isObject(parent)) continue;
        const known = heirs.get(parent) ?? [];
        known.push([name, schema]);
        heirs.set(parent, known);
      }
    }
    return heirs;
  }

  #leadsTo(branch: JsonObject, open: Set<object>): boolean {
    let current: SchemaNode = branch;
    const seen = new Set<object>();
    while (isObject(current) && !seen.has(current)) {
      if (open.has(current)) return true;
      seen.add(current);
      if (!this.#isPureReference(current)) return false;
      current = this.document.target(current);
    }
    return false;
  }

  #label(branch: SchemaNode, mapping: Json | undefined): string | undefined {
    if (!isObject(branch)) return undefined;
    const reference = branch["$ref"];
    if (typeof reference !== "string") return textOf(branch["title"]);
    const name = this.document.nameOf(this.document.target(branch) as JsonObject);
    const mapped = Object.entries(isObject(mapping) ? mapping : {}).find(
      ([, target]) => target === reference || target === name,
    );
    return mapped?.[0] ?? name;
  }

  /**
   * `unevaluatedProperties` and `unevaluatedItems` depend on the declarations of all parts of the
   * schema.
   */
  #closeUnevaluated(node: JsonObject, schema: Canonical): Canonical {
    const { unevaluatedProperties, additionalProperties } = node;
    if (!isSchema(unevaluatedProperties) || additionalProperties !== undefined) return schema;
    return {
      ...schema,
      atoms: schema.atoms.map((atom) =>
        atom.type === "object" && atom.additional.length === 0
          ? { ...atom, additional: unevaluatedProperties === true ? [] : [unevaluatedProperties] }
          : atom,
      ),
    };
  }

  /** Applies `not` where it excludes all values of a type, and conditions to null. */
  #applyConditions(node: JsonObject, schema: Canonical): Canonical {
    const nullable = schema.nullable && this.#allowsNull(node);
    let { atoms } = schema;
    for (const not of exclusionsOf(node)) {
      const excluded = this.canonical([not]);
      atoms = atoms.flatMap((atom): readonly Atom[] => {
        const same = excluded.atoms.filter(({ type }) => type === atom.type);
        if (same.some(isOpen)) return [];
        // What several branches of a oneOf match is not excluded.
        const isExact = excluded.isTooComplex !== true && (excluded.choices ?? []).length === 0;
        const rest = isExact ? complement(atom, same) : undefined;
        const conditions = atom.conditions.filter(
          (condition) => condition.kind !== "not" || condition.schema[0] !== not,
        );
        return rest?.map((each) => ({ ...each, conditions })) ?? [atom];
      });
    }
    return { ...schema, nullable, atoms };
  }

  #allowsNull(node: JsonObject): boolean {
    const allows = (schema: Json | undefined): boolean =>
      !isSchema(schema) || this.canonical([schema]).nullable;
    if (isSchema(node["not"]) && allows(node["not"])) return false;
    if (!isSchema(node["if"])) return true;
    return allows(allows(node["if"]) ? node["then"] : node["else"]);
  }

  /**
   * The nodes of a schema without alternatives, outermost first; they provide its annotations.
   * A single alternative beside null counts as no alternative.
   */
  outer(schema: Conjunction): readonly JsonObject[] {
    const key = schema.map(idOf).join("&");
    const cachedNodes = this.#outer.get(key);
    if (cachedNodes !== undefined) return cachedNodes;
    const collected = new Set<JsonObject>();
    const add = (written: Json | undefined): void => {
      const node = isObject(written) ? this.#end(written) : written;
      if (!isObject(node) || collected.has(node)) return;
      collected.add(node);
      if (typeof node["$ref"] === "string") add(this.document.target(node));
      if (typeof node["$dynamicRef"] === "string") add(this.document.dynamicTarget(node));
      listOf(node["allOf"]).forEach(add);
      for (const keyword of ["oneOf", "anyOf"]) {
        const all = listOf(node[keyword]).filter(isSchema);
        const branches = all.filter((each) => this.#emptiness(each) === undefined);
        if (branches.length === 1) add(branches[0]);
      }
    };
    schema.forEach(add);
    const nodes = [...collected];
    this.#outer.set(key, nodes);
    return nodes;
  }
}

const isNull = (value: Json): boolean => value === null;

/** Keywords that do not affect the valid values, except those that are read elsewhere. */
const constraining = new Set(
  `type minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format minLength maxLength pattern
  contentEncoding contentMediaType contentSchema prefixItems items unevaluatedItems minItems maxItems
  uniqueItems contains properties required patternProperties additionalProperties propertyNames
  minProperties maxProperties dependentRequired dependentSchemas not if`.split(/\s+/),
);

/** All keywords that affect the valid values, but for `nullable`. */
const asserting = new Set([
  ...constraining,
  ...`$ref $dynamicRef allOf oneOf anyOf enum const unevaluatedProperties`.split(" "),
]);

const isUnconstrained = (node: JsonObject): boolean =>
  !Object.keys(node).some((key) => constraining.has(key));
