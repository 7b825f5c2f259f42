import type { JsonSchema, OpenApiDocument } from "../../document.ts";
import type { Operation, Parameter } from "../../operation.ts";
import type { Reference, ReferenceMember, ReferenceOperation } from "./reference.ts";
import { mergedSchema } from "./merged-schema.ts";

/** A difference between the document and the reference tables. */
export interface Departure {
  /** An operation id, or a component: `schemas/Indicator`. */
  readonly place: string;
  /** `status 409 added`, `query limit required`, `member tags is array, not string`, `field id added`. */
  readonly what: string;
}

/** All departures of the operations in the tables, of the schemas that they refer to, and of records. */
export function departuresOf(
  document: OpenApiDocument,
  operations: readonly Operation[],
  reference: Reference,
): readonly Departure[] {
  const comparison = new Comparison(document, reference);
  for (const referenceOperation of reference.operations) {
    const operation = operations.find(({ id }) => id === referenceOperation.id);
    if (operation !== undefined) comparison.operation(operation, referenceOperation);
  }
  for (const [name, members] of reference.records) comparison.record(name, members);
  return [...comparison.departures.values()];
}

class Comparison {
  readonly departures = new Map<string, Departure>();
  readonly #document: OpenApiDocument;
  readonly #reference: Reference;
  readonly #compared = new Set<string>();

  constructor(document: OpenApiDocument, reference: Reference) {
    this.#document = document;
    this.#reference = reference;
  }

  operation(operation: Operation, reference: ReferenceOperation): void {
    if (reference.statuses.length > 0) this.#statuses(operation, reference.statuses);
    if (reference.answer !== "" || reference.parameters.length > 0)
      this.#parameters(operation, reference);
    const body = schemaOf(operation.requestBody?.content);
    const form = reference.parameters.filter(({ place }) => place === "form");
    if (body !== undefined && form.length > 0) this.#members(operation.id, body, form);
    const bodyParameter = reference.parameters.find(({ place }) => place === "body");
    if (bodyParameter !== undefined && body === undefined) this.#add(operation.id, "body missing");
    if (bodyParameter !== undefined && body !== undefined) {
      this.#value(operation.id, "body", body, bodyParameter.type);
    }
    const success = operation.responses.find(({ status }) => status === operation.successStatus);
    const answer = schemaOf(success?.content);
    if (reference.answer === "" || answer === undefined) return;
    const { resources } = mergedSchema(this.#document, answer).properties;
    const enveloped = operation.answer === "envelope";
    if (enveloped && resources === undefined) this.#add(operation.id, "answer without resources");
    else this.#value(operation.id, "answer", (enveloped && resources) || answer, reference.answer);
  }

  record(name: string, members: readonly string[]): void {
    const schema = this.#document.components.schemas[name] ?? {};
    const properties = Object.keys(mergedSchema(this.#document, schema).properties);
    for (const property of properties) {
      if (!members.includes(property)) this.#add(`schemas/${name}`, `field ${property} added`);
    }
    for (const member of members) {
      if (!properties.includes(member)) this.#add(`schemas/${name}`, `field ${member} missing`);
    }
  }

  #statuses(operation: Operation, reference: readonly number[]): void {
    const statuses = operation.responses.map(({ status }) => status);
    for (const status of statuses) {
      if (!reference.includes(status)) this.#add(operation.id, `status ${status} added`);
    }
    for (const status of reference) {
      if (!statuses.includes(status)) this.#add(operation.id, `status ${status} missing`);
    }
  }

  #parameters(operation: Operation, reference: ReferenceOperation): void {
    const listed = reference.parameters.filter(
      ({ place }) => place === "query" || place === "path",
    );
    for (const parameter of operation.parameters) {
      const { name, in: place } = parameter;
      const expected = listed.find((each) => each.name === name && each.place === place);
      const subject = `${place} ${name}`;
      if (expected === undefined) this.#add(operation.id, `${subject} added`);
      else this.#parameter(operation.id, subject, parameter, expected);
    }
    for (const { name, place } of listed) {
      const there = operation.parameters.some((each) => each.name === name && each.in === place);
      if (!there) this.#add(operation.id, `${place} ${name} missing`);
    }
  }

  #parameter(
    place: string,
    subject: string,
    parameter: Parameter,
    reference: ReferenceMember,
  ): void {
    this.#required(place, subject, parameter.required, reference.required);
    this.#value(place, subject, parameter.schema, reference.type);
    for (const limit of ["minimum", "maximum", "default"]) {
      const expected = reference.limits[limit];
      const stands = parameter.schema[limit];
      if (expected !== undefined && !(subject.endsWith(" sort") || String(stands) === expected)) {
        this.#add(place, `${subject} ${limit} ${String(stands)}, not ${expected}`);
      }
    }
    if (!subject.endsWith(" sort")) this.#enum(place, subject, parameter.schema, reference);
  }

  #members(place: string, schema: JsonSchema, reference: readonly ReferenceMember[]): void {
    const { properties, required, aliases } = mergedSchema(this.#document, schema);
    for (const [name, member] of Object.entries(properties)) {
      const expected = reference.find((each) => each.name === name);
      const subject = `member ${name}`;
      if (expected === undefined) {
        this.#add(place, `${subject} added`);
        continue;
      }
      this.#required(place, subject, required.has(name), expected.required);
      this.#value(place, subject, member, expected.type);
      this.#enum(place, subject, member, expected);
    }
    for (const { name } of reference) {
      if (!(name in properties) && !aliases.has(name)) this.#add(place, `member ${name} missing`);
    }
  }

  #required(place: string, subject: string, here: boolean, there: boolean): void {
    if (here !== there) this.#add(place, `${subject} ${here ? "required" : "optional"}`);
  }

  #enum(place: string, subject: string, schema: JsonSchema, { limits }: ReferenceMember): void {
    if (limits["enum"] === undefined) return;
    const here = mergedSchema(this.#document, schema)
      .enum.map(String)
      .filter((each) => each !== "null");
    const there = limits["enum"].split(",");
    for (const value of here) {
      if (!there.includes(value)) this.#add(place, `${subject} value ${value} added`);
    }
    for (const value of there) {
      if (!here.includes(value)) this.#add(place, `${subject} value ${value} missing`);
    }
  }

  /** Compares types, including those inside lists, maps and models. */
  #value(place: string, subject: string, schema: JsonSchema, type: string): void {
    const merged = mergedSchema(this.#document, schema);
    const [, container = "", content = ""] = /^(list|map)<(.*)>$/.exec(type) ?? [];
    const model = this.#reference.models.get(type);
    const anything =
      type === "any" ||
      type === "file" ||
      (model === undefined && this.#reference.models.has(type));
    if (anything) return;
    const expected =
      container === "list" ? "array" : container === "map" || model !== undefined ? "object" : type;
    if (!merged.types.has(expected)) {
      this.#add(place, `${subject} is ${[...merged.types].join(" or ") || "open"}, not ${type}`);
      if (container === "list") this.#value(place, subject, schema, content);
    } else if (container === "list" && merged.items !== undefined) {
      this.#value(place, subject, merged.items, content);
    } else if (container === "map" && merged.values !== undefined) {
      this.#value(place, subject, merged.values, content);
    } else if (model !== undefined) {
      const name = componentOf(schema);
      if (name === undefined) this.#members(`${place}: ${subject}`, schema, model);
      else if (!this.#compared.has(`${name} ${type}`)) {
        this.#compared.add(`${name} ${type}`);
        this.#members(name, schema, model);
      }
    }
  }

  #add(place: string, what: string): void {
    this.departures.set(`${place} ${what}`, { place, what });
  }
}

const schemaOf = (content: Operation["responses"][number]["content"] | undefined) =>
  Object.values(content ?? {})[0]?.schema;

const componentOf = (schema: JsonSchema): string | undefined =>
  typeof schema["$ref"] === "string" ? schema["$ref"].replace("#/components/", "") : undefined;
