import type { JsonSchema } from "../document.ts";
import { checkOf, Run, type Check } from "./keywords.ts";
import { problemsOf, type MemberNoun, type SchemaProblem } from "./problems.ts";
import { isLargerThan, sampleOf } from "./sample.ts";
import type { Violation } from "./violation.ts";

/** The schemas to which others refer, by name. */
export type Components = Readonly<Record<string, JsonSchema>>;

/** Returns the problems of a value; an empty list if it is valid. */
export type SchemaValidator = (value: unknown) => readonly SchemaProblem[];

/** All violations of a value, or the first one. */
export type Depth = "all" | "first";

/** Where a document has its shared schemas. */
export const componentPath = "#/components/schemas/";

/** Maximum number of JSON values up to which all violations are reported, in one turn. */
export const fullyChecked = 2_000;
/** Maximum number of JSON values in the sample of a larger value. */
const largestSample = 5_000;

const noProblems: readonly SchemaProblem[] = [];

/** Schemas that refer to those of one document. */
export class SchemaSet {
  readonly #components: () => Components;
  readonly #checks = new Map<string, Check>();
  readonly #inside = new WeakMap<JsonSchema, ReadonlySet<unknown>>();

  /** `components` is called when a reference is followed. */
  constructor(components: () => Components) {
    this.#components = components;
  }

  /**
   * Returns the schema itself. For a reference, returns the referenced schema with the members beside the
   * reference.
   */
  resolved(schema: JsonSchema): JsonSchema {
    const { $ref: reference, ...own } = schema;
    if (typeof reference !== "string") return schema;
    const target = this.resolved(this.#component(reference));
    return Object.keys(own).length === 0 ? target : { ...target, ...own };
  }

  /**
   * A validator of `schema`. For a large value, reports the first violation and the violations among the first
   * items of its lists, because listing millions of violations would take minutes.
   */
  validator(schema: JsonSchema, noun: MemberNoun = "field"): SchemaValidator {
    const full = this.problemsIn(schema, noun, "all");
    const first = this.problemsIn(schema, noun, "first");
    return (value) =>
      isLargerThan(fullyChecked, value) ? withSample(value, first(value), full) : full(value);
  }

  problemsIn(schema: JsonSchema, noun: MemberNoun, depth: Depth): SchemaValidator {
    const find = this.violationsIn(schema);
    return (value) => {
      const violations = find(value, depth);
      return violations.length === 0
        ? noProblems
        : problemsOf(violations, value, noun, (each) => this.#schemasIn(each));
    };
  }

  /** Finds the violations of a schema in values: all, or the first one. An empty list: the value is valid. */
  violationsIn(
    schema: JsonSchema,
    place = "#",
  ): (value: unknown, depth: Depth) => readonly Violation[] {
    const check = checkOf(schema, place, this.#follow);
    return (value, depth) => {
      const run = new Run(depth === "all");
      return check(value, run) ? [] : run.violations;
    };
  }

  readonly #follow = (reference: string): Check => {
    let check = this.#checks.get(reference);
    if (check === undefined) {
      check = checkOf(this.#component(reference), reference, this.#follow);
      this.#checks.set(reference, check);
    }
    return check;
  };

  #component(reference: string): JsonSchema {
    const component = this.#components()[reference.slice(componentPath.length)];
    if (component === undefined) throw new Error(`${reference} leads nowhere`);
    return component;
  }

  #schemasIn(schema: JsonSchema): ReadonlySet<unknown> {
    let schemas = this.#inside.get(schema);
    if (schemas === undefined) {
      schemas = this.#collect(schema, new Set());
      this.#inside.set(schema, schemas);
    }
    return schemas;
  }

  #collect(value: unknown, collected: Set<unknown>): ReadonlySet<unknown> {
    if (value === null || typeof value !== "object" || collected.has(value)) return collected;
    collected.add(value);
    if ("$ref" in value) this.#collect(this.resolved(value as JsonSchema), collected);
    for (const member of Object.values(value)) this.#collect(member, collected);
    return collected;
  }
}

/** Adds the violations in a sample of the value to the first violation, if there is one. */
export function withSample(
  value: unknown,
  problems: readonly SchemaProblem[],
  full: SchemaValidator,
): readonly SchemaProblem[] {
  if (problems.length === 0) return problems;
  const sample = sampleOf(value);
  if (isLargerThan(largestSample, sample)) return problems;
  const places = new Set(problems.map(({ path }) => path.join("/")));
  return [...problems, ...full(sample).filter(({ path }) => !places.has(path.join("/")))];
}
