/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../src/json.ts";
import { compare, requestOf, responseOf, verdictsOf } from "../src/testing/documents.ts";
import { editOf } from "./oasdiff/edit-of.ts";
import { readTable } from "./oasdiff/table.ts";
import { cases } from "./rule-cases.ts";

/** A schema X as generators write "X or null". */
type Form = readonly [name: string, openapi: string, wrap: (schema: Json) => JsonObject];

const branches: readonly (readonly [string, JsonObject])[] = [
  ["3.0.3", { nullable: true }],
  ["3.0.3", { nullable: true, description: "Or none." }],
  ["3.0.3", { enum: [null], nullable: true }],
  ["3.0.3", { type: "string", enum: [null], nullable: true }],
  ["3.0.3", {}],
  ["3.0.3", { description: "Or none." }],
  ["3.1.0", { type: "null" }],
  ["3.1.0", { type: ["null"] }],
  ["3.1.0", { const: null }],
  ["3.1.0", { enum: [null], description: "Or none." }],
  ["3.1.0", {}],
  ["3.1.0", { title: "None" }],
];

const forms: readonly Form[] = branches.flatMap(([openapi, branch]) =>
  ["anyOf", "oneOf"].map((keyword): Form => [
    `${openapi} ${keyword} with ${JSON.stringify(branch)}`,
    openapi,
    (schema) => ({ [keyword]: [schema, branch] }),
  ]),
);

/** A document in which each schema of a body, a parameter or a header is written in a form. */
function wrapped(document: JsonObject, [, openapi, wrap]: Form): JsonObject {
  const visit = (value: Json, holds: boolean): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map((each) => visit(each, false));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (name === "components") return [name, member];
        const isSchema = name === "schema" && (isObject(member) || typeof member === "boolean");
        return [name, isSchema && !holds ? wrap(member) : visit(member, false)];
      }),
    );
  };
  return { ...(visit(document, false) as JsonObject), openapi };
}

const plain = (document: JsonObject, [, openapi]: Form): JsonObject => ({ ...document, openapi });

const table = readTable(readFileSync(new URL("../oasdiff.tsv", import.meta.url), "utf8"));
const pairs: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ...cases.map(([name, before, after]) => [name, before, after] as const),
  ...table.flatMap(({ check }) => {
    const edit = editOf(check);
    return edit === undefined ? [] : [[check, edit[0], edit[1]] as const];
  }),
];

/** Whether a change is not about null, which the form allows on both sides. */
const isOther = (line: string): boolean => !line.startsWith("null-");

/** What the changes of X itself are, by version of OpenAPI. */
const alone = new Map<string, readonly string[]>();
const directions = pairs.flatMap(([name, one, other]) => [
  { name, before: one, after: other },
  { name: `${name}, undone`, before: other, after: one },
]);

/** A description matters only where the form is recognized, which a fifth of the changes shows. */
const fifth = directions.filter((_, index) => index % 10 < 2);

const isDescribed = ([name]: Form): boolean => /description|title/.test(name);

function changesOf(form: Form, written: typeof plain, compared = directions): readonly string[] {
  return compared.map(({ name, before, after }) => {
    const changes = verdictsOf(compare(written(before, form), written(after, form)));
    return `${name}: ${changes.filter(isOther).join(", ")}`;
  });
}

// Whether oneOf or anyOf makes no difference, so one form of each version is enough for oneOf.
const tried = forms.filter(([name]) => name.includes("anyOf") || name.endsWith("{}"));

describe("a change of X is reported in X or null as if X stood alone", () => {
  test.each(tried)("%s", (...form) => {
    const changed = isDescribed(form) ? fifth : directions;
    const key = `${form[1]} ${changed.length}`;
    const expected = alone.get(key) ?? changesOf(form, plain, changed);
    alone.set(key, expected);
    expect(changesOf(form, wrapped, changed)).toEqual(expected);
  });
});

describe("null itself", () => {
  const thing = { type: "object", properties: { name: { type: "string" } } };
  const components = { components: { schemas: { Thing: thing } } };
  const reference = { $ref: "#/components/schemas/Thing" };

  test.each(forms)("is compared: %s", (_, openapi, wrap) => {
    for (const [documentOf, added, removed] of [
      [requestOf, "null-allowed request minor", "null-forbidden request major"],
      [responseOf, "null-allowed response major", "null-forbidden response patch"],
    ] as const) {
      const without = documentOf(reference, components, openapi);
      const within = documentOf(wrap(reference), components, openapi);
      expect(verdictsOf(compare(without, within))).toEqual([added]);
      expect(verdictsOf(compare(within, without))).toEqual([removed]);
      expect(verdictsOf(compare(within, within))).toEqual([]);
    }
  });

  test("is the same in every form", () => {
    for (const [, before, one] of forms) {
      for (const [, after, other] of forms) {
        const pair = compare(
          responseOf(one(reference), components, before),
          responseOf(other(reference), components, after),
        );
        expect(verdictsOf(pair)).toEqual([]);
      }
    }
  });
});

describe("an empty branch that cannot mean null", () => {
  const thing = (anyOf: readonly Json[]) => ({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    anyOf,
  });
  const both = [{ required: ["a"] }, {}];

  test("allows everything: to remove it is to narrow", () => {
    const [open, closed] = [thing(both), thing([{ required: ["a"] }])];
    expect(verdictsOf(compare(requestOf(open), requestOf(closed)))).toEqual([
      "alternative-removed request major",
    ]);
    expect(verdictsOf(compare(responseOf(closed), responseOf(open)))).toEqual([
      "alternative-added response major",
    ]);
  });

  test("does not hide the other members either", () => {
    const changed = { ...thing(both), properties: { a: { type: "number" } } };
    expect(compare(requestOf(thing(both)), requestOf(changed)).verdict).toBe("major");
  });

  test("is everything where no branch says more", () => {
    const any = { anyOf: [{}, { description: "Whatever." }] };
    expect(verdictsOf(compare(responseOf({}), responseOf(any)))).toEqual([]);
  });
});
