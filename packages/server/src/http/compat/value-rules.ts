import { schemaQuirks, servedDocument, type SchemaQuirks } from "@security-platform/spec";
import {
  resolved,
  schemaCheck,
  type Schema,
  type SchemaCheck,
} from "../../validation/schema-validator.ts";

/** The document's rules for the values at one place, with all alternatives of the schema merged. */
export class ValueRules {
  readonly #given: readonly Schema[];
  readonly #schemas: readonly Schema[];
  readonly #members = new Map<string, ValueRules>();
  #knownRules: Rules | undefined;
  #others: ValueRules | null | undefined;
  #items: ValueRules | undefined;
  #spellings: ReadonlyMap<string, string> | null | undefined;
  #quirks: SchemaQuirks | undefined;
  #checks: readonly SchemaCheck[] | undefined;
  readonly #refused = new Map<string, boolean>();

  constructor(schemas: readonly Schema[]) {
    this.#given = schemas;
    const collected = new Set<Schema>();
    for (const schema of schemas) collect(schema, collected);
    this.#schemas = [...collected];
  }

  /** Whether the document allows null. */
  get nullable(): boolean {
    return this.#rules.nullable;
  }

  /** Whether an object can have only documented members. */
  get closed(): boolean {
    return this.#rules.closed;
  }

  /** Whether the document does not allow an empty text. */
  get refusesEmpty(): boolean {
    return this.#rules.refusesEmpty;
  }

  /** Whether values of this type are documented. */
  isDocumentedType(value: unknown): boolean {
    const names = typeNames(value);
    return this.#schemas.some((schema) => typesOf(schema)?.some((type) => names.includes(type)));
  }

  /** Whether the document does not allow the zero value of a type: 0, false, an empty list or object. */
  refuses(value: unknown): boolean {
    // There are few zero values, except of objects, which may have members that are zero values.
    const key = isObjectWithMembers(value) ? null : JSON.stringify(value);
    const cachedAnswer = key === null ? undefined : this.#refused.get(key);
    if (cachedAnswer !== undefined) return cachedAnswer;
    this.#checks ??= this.#given.map((schema) => schemaCheck(schema));
    const refused = this.#checks.every((allows) => !allows(value));
    if (key !== null) this.#refused.set(key, refused);
    return refused;
  }

  /** The quirks of clients for the members of an object. */
  get quirks(): SchemaQuirks {
    return (this.#quirks ??= this.#schemas.map(quirksOf).find(Boolean) ?? noQuirks);
  }

  /** Whether an object must have the member. */
  requires(name: string): boolean {
    return this.#rules.required.has(name);
  }

  /** Sets of members of which an object has exactly one. */
  get choices(): readonly (readonly string[])[] {
    return this.#rules.choices;
  }

  get isInstant(): boolean {
    return this.#rules.isInstant;
  }

  get isBoolean(): boolean {
    return this.#rules.isBoolean;
  }

  get isList(): boolean {
    return this.#rules.isList;
  }

  get items(): ValueRules {
    return (this.#items ??= new ValueRules(this.#schemas.flatMap(({ items }) => schemaOf(items))));
  }

  /** The length of the longest list that the document allows. */
  get maxItems(): number {
    return this.#rules.maxItems;
  }

  /** The rules of a member, including its other accepted spellings. Undefined for an unknown member. */
  member(name: string): ValueRules | undefined {
    const cachedShape = this.#members.get(name);
    if (cachedShape !== undefined) return cachedShape;
    if (!this.#isDocumented(name)) return this.#otherMembers;
    const rules = this.#readMember(name);
    if (rules !== undefined) this.#members.set(name, rules);
    return rules;
  }

  /** An enumerated text as the document spells it. Returns other texts unchanged. */
  inDocumentedSpelling(text: string): string {
    if (this.#spellings === undefined) this.#spellings = spellingsOf(this.#schemas);
    if (this.#spellings === null || this.#spellings.size === 0) return text;
    return this.#spellings.get(text) ?? this.#spellings.get(text.toLowerCase()) ?? text;
  }

  /** Read once, because a body may have many values at the same place. */
  get #rules(): Rules {
    return (this.#knownRules ??= rulesOf(this.#schemas));
  }

  /** Whether the name is documented. Only such names are kept, because callers can send any number of others. */
  #isDocumented(name: string): boolean {
    return this.#schemas.some(
      (schema) =>
        own(schema["x-aliases"], name) !== undefined ||
        own(schema["properties"], name) !== undefined,
    );
  }

  /** The rules of all members without a documented name. */
  get #otherMembers(): ValueRules | undefined {
    if (this.#others === undefined) {
      const schemas = this.#schemas.flatMap(({ additionalProperties: others }) => schemaOf(others));
      this.#others = schemas.length === 0 ? null : new ValueRules(schemas);
    }
    return this.#others ?? undefined;
  }

  #readMember(name: string): ValueRules | undefined {
    const target = this.#schemas.map((schema) => own(schema["x-aliases"], name)).find(Boolean);
    if (typeof target === "string") {
      return target
        .split(".")
        .reduce<ValueRules | undefined>((rules, part) => rules?.member(part), this);
    }
    const schemas = this.#schemas.flatMap(({ properties }) => schemaOf(own(properties, name)));
    return schemas.length === 0 ? this.#otherMembers : new ValueRules(schemas);
  }
}

const noQuirks: SchemaQuirks = {};

const quirksOf = (schema: Schema): SchemaQuirks | undefined =>
  Object.entries(schemaQuirks).find(([name]) => servedDocument().schemas[name] === schema)?.[1];

function typeNames(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return ["array"];
  return typeof value === "number" ? ["number", "integer"] : [typeof value];
}

interface Rules {
  readonly nullable: boolean;
  readonly closed: boolean;
  readonly refusesEmpty: boolean;
  readonly required: ReadonlySet<string>;
  readonly choices: readonly (readonly string[])[];
  readonly isInstant: boolean;
  readonly isBoolean: boolean;
  readonly isList: boolean;
  readonly maxItems: number;
}

function rulesOf(schemas: readonly Schema[]): Rules {
  const hasType = (type: string) => schemas.some((schema) => typesOf(schema)?.includes(type));
  const documentsEmpty = schemas.some((schema) => valuesOf(schema)?.includes(""));
  return {
    nullable: schemas.some(allowsNull),
    closed: schemas.some(
      (schema) =>
        schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false,
    ),
    refusesEmpty: !documentsEmpty && schemas.some(cannotBeEmpty),
    required: new Set(
      schemas.flatMap(({ required }) => (required as readonly string[] | undefined) ?? []),
    ),
    choices: schemas.flatMap((schema) =>
      alternativeKeywords.flatMap((keyword) => choiceOf(schema[keyword])),
    ),
    isInstant: schemas.some(({ format }) => format === "date-time"),
    isBoolean: hasType("boolean"),
    isList: hasType("array"),
    maxItems: Math.max(...schemas.map(({ maxItems }) => Number(maxItems ?? Infinity))),
  };
}

const isObjectWithMembers = (value: unknown): boolean =>
  value !== null && typeof value === "object" && Object.keys(value).length > 0;

const alternativeKeywords = ["oneOf", "anyOf"] as const;
const nestedKeywords = [...alternativeKeywords, "allOf"] as const;

function collect(schemaOrReference: Schema, collected: Set<Schema>): void {
  const schema = resolved(schemaOrReference);
  if (collected.has(schema)) return;
  collected.add(schema);
  for (const keyword of nestedKeywords) {
    for (const nested of (schema[keyword] as readonly Schema[] | undefined) ?? []) {
      collect(nested, collected);
    }
  }
  for (const keyword of ["then", "else"]) {
    for (const nested of schemaOf(schema[keyword])) collect(nested, collected);
  }
}

const schemaOf = (value: unknown): readonly Schema[] =>
  value !== null && typeof value === "object" ? [value as Schema] : [];

const own = (record: unknown, name: string): unknown =>
  record !== null && typeof record === "object" && Object.hasOwn(record, name)
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Keywords that do not restrict the value. */
const annotations: ReadonlySet<string> = new Set(["title", "default", "deprecated", "readOnly"]);

const isOpen = (schema: Schema): boolean =>
  Object.keys(schema).every((keyword) => annotations.has(keyword) || keyword.startsWith("x-"));

const typesOf = ({ type }: Schema): readonly unknown[] | undefined =>
  type === undefined ? undefined : Array.isArray(type) ? type : [type];

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  "const" in schema ? [schema["const"]] : (schema["enum"] as readonly unknown[] | undefined);

function allowsNull(schema: Schema): boolean {
  const types = typesOf(schema);
  const values = valuesOf(schema);
  if (types === undefined && values === undefined) return isOpen(schema);
  return (types?.includes("null") ?? true) && (values?.includes(null) ?? true);
}

function cannotBeEmpty(schema: Schema): boolean {
  const { minLength, pattern, format } = schema;
  return (
    valuesOf(schema) !== undefined ||
    typesOf(schema)?.every((type) => type !== "string") === true ||
    (typeof minLength === "number" && minLength > 0) ||
    (typeof pattern === "string" && !new RegExp(pattern, "u").test("")) ||
    format !== undefined
  );
}

/** The members of a choice whose alternatives differ only in their required member. */
function choiceOf(alternatives: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(alternatives)) return [];
  const members = (alternatives as readonly Schema[]).map((alternative) => {
    const [keyword, ...others] = Object.keys(alternative);
    const required = alternative["required"] as readonly string[] | undefined;
    return keyword === "required" && others.length === 0 ? (required ?? []) : null;
  });
  return members.includes(null) ? [] : [members.flatMap((names) => names ?? [])];
}

/** The documented texts by their spelling and their lower-case form. Null if any text is allowed. */
function spellingsOf(schemas: readonly Schema[]): ReadonlyMap<string, string> | null {
  const texts: string[] = [];
  for (const schema of schemas) {
    const values = valuesOf(schema);
    const takesText = typesOf(schema)?.includes("string");
    if (values === undefined && (takesText ?? isOpen(schema))) return null;
    for (const value of values ?? []) if (typeof value === "string") texts.push(value);
  }
  // If two documented texts differ only in case, each keeps its own spelling.
  const folded = texts.toReversed().map((text) => [text.toLowerCase(), text] as const);
  return new Map([...folded, ...texts.map((text) => [text, text] as const)]);
}
