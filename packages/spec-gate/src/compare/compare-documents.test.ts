import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import {
  compare,
  documentWith,
  jsonBody,
  operationWith,
  requestOf,
  responseOf,
  verdictsOf,
} from "../testing/documents.ts";

const member = (schema: Json) => ({ type: "object", properties: { name: schema } });

describe("a change of a schema", () => {
  test.each([
    ["maximum", { type: "integer", maximum: 10 }, { type: "integer", maximum: 5 }],
    ["type", { type: ["string", "null"] }, { type: "string" }],
    ["enumeration", { enum: ["a", "b"] }, { enum: ["a"] }],
    ["pattern", { type: "string", pattern: "^[a-f]+$" }, { type: "string", pattern: "^[a-c]+$" }],
  ])("of its %s breaks narrower requests and wider responses", (_, wide, narrow) => {
    expect(compare(requestOf(member(wide)), requestOf(member(narrow))).verdict).toBe("major");
    expect(compare(requestOf(member(narrow)), requestOf(member(wide))).verdict).toBe("minor");
    expect(compare(responseOf(member(narrow)), responseOf(member(wide))).verdict).toBe("major");
    expect(compare(responseOf(member(wide)), responseOf(member(narrow))).verdict).toBe("patch");
  });

  test("is seen in the uniqueness of two items", () => {
    const pair = { type: "array", maxItems: 2 };
    const unique = { ...pair, uniqueItems: true };
    expect(verdictsOf(compare(requestOf(pair), requestOf(unique)))).toEqual([
      "unique-items-added request major",
    ]);
    expect(verdictsOf(compare(requestOf(unique), requestOf(pair)))).toEqual([
      "unique-items-removed request minor",
    ]);
  });

  test("is seen in a list whose values do not have the declared type", () => {
    const codes = (...values: readonly string[]) => member({ type: "integer", enum: [...values] });
    const [few, more] = [responseOf(codes("1 (A)")), responseOf(codes("1 (A)", "2 (B)"))];
    expect(verdictsOf(compare(few, more))).toEqual(["enum-value-added response major"]);
    expect(verdictsOf(compare(few, few))).toEqual([]);
  });

  test("is reported with place, direction and affected clients", () => {
    const schemas = { Thing: member({ type: "string" }) };
    const reference = { $ref: "#/components/schemas/Thing" };
    const base = responseOf(reference, { components: { schemas } });
    const revision = responseOf(reference, { components: { schemas: { Thing: member(true) } } });
    expect(compare(base, revision).changes).toMatchObject([
      {
        rule: "type-widened",
        verdict: "major",
        direction: "response",
        place: "POST /things #/components/schemas/Thing/properties/name",
        affects: ["clients that read it"],
      },
    ]);
  });
});

describe("an equivalent schema", () => {
  test.each<[string, Json, Json]>([
    ["null", { type: ["string", "null"] }, { oneOf: [{ type: "string" }, { type: "null" }] }],
    [
      "allOf",
      { allOf: [member({}), { required: ["name"] }] },
      { ...member({}), required: ["name"] },
    ],
    ["a constant", { const: "a" }, { enum: ["a"] }],
    ["an enumeration", { enum: ["a", "b"] }, { oneOf: [{ const: "b" }, { const: "a" }] }],
    ["one alternative", { anyOf: [{ type: "string" }] }, { type: "string" }],
    [
      "types",
      { type: ["string", "integer"] },
      { anyOf: [{ type: "integer" }, { type: "string" }] },
    ],
    ["nothing to say", {}, true],
    [
      "uniqueness of at most one item",
      { type: "array", maxItems: 1 },
      { type: "array", maxItems: 1, uniqueItems: true },
    ],
    ["both truth values", { type: "boolean" }, { enum: [true, false] }],
  ])("is no change: %s", (_, before, after) => {
    for (const wrap of [requestOf, responseOf]) {
      for (const place of [member, (schema: Json) => schema]) {
        expect(verdictsOf(compare(wrap(place(before)), wrap(place(after))))).toEqual([]);
        expect(verdictsOf(compare(wrap(place(after)), wrap(place(before))))).toEqual([]);
      }
    }
  });

  test("of integers has 64 bits with and without the format", () => {
    const [whole, number] = ["integer", "number"].map((type) => member({ type, format: "int64" }));
    expect(verdictsOf(compare(requestOf(whole ?? {}), requestOf(number ?? {})))).toEqual([
      "type-widened request minor",
    ]);
  });

  test("is no change between OpenAPI 3.0 and 3.1", () => {
    const before = { type: "integer", nullable: true, minimum: 0, exclusiveMinimum: true };
    const after = { type: ["integer", "null"], exclusiveMinimum: 0 };
    expect(verdictsOf(compare(requestOf(before, {}, "3.0.3"), requestOf(after)))).toEqual([]);
  });
});

describe("circular schemas", () => {
  const tree = (leaf: Json) => ({
    components: {
      schemas: {
        Tree: {
          type: "object",
          properties: {
            value: leaf,
            children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
          },
        },
      },
    },
  });
  const reference = { $ref: "#/components/schemas/Tree" };

  test("are compared once", () => {
    const base = responseOf(reference, tree({ type: "string" }));
    expect(verdictsOf(compare(base, responseOf(reference, tree({ type: "string" }))))).toEqual([]);
    expect(verdictsOf(compare(base, responseOf(reference, tree({ type: "integer" }))))).toEqual([
      "type-changed response major",
    ]);
  });
});

describe("operations", () => {
  const get = { responses: { 200: { description: "Fine." } } };

  test("are the same if only the name of a path parameter differs", () => {
    const at = (name: string) =>
      documentWith({
        paths: {
          [`/things/{${name}}`]: {
            parameters: [{ name, in: "path", required: true, schema: { type: "string" } }],
            get,
          },
        },
      });
    expect(verdictsOf(compare(at("id"), at("thing_id")))).toEqual([
      "parameter-renamed request patch",
    ]);
  });

  test("with paths that differ only in parameter names are matched by the names first", () => {
    const [cards, filters] = ["/boards/{board}/cards/{card}", "/boards/{id}/cards/{filter}"];
    const parametersOf = (path: string) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string", maxLength: path.length },
      }));
    const at = (...paths: readonly string[]) =>
      documentWith({
        paths: Object.fromEntries(
          paths.map((path) => [path, { parameters: parametersOf(path), get }]),
        ),
      });
    expect(verdictsOf(compare(at(cards, filters), at(filters, cards)))).toEqual([]);
    expect(verdictsOf(compare(at(cards), at(filters, cards)))).toEqual([
      "operation-added request minor",
    ]);
    expect(verdictsOf(compare(at(cards, filters), at(filters)))).toEqual([
      "operation-removed request major",
    ]);
  });

  test("are removed before or after their announced end", () => {
    const until = (day: string) =>
      documentWith({
        paths: { "/things": { get: { ...get, deprecated: true, "x-sunset": day } } },
      });
    expect(verdictsOf(compare(until("2026-11-21"), documentWith({})))).toEqual([
      "removed-after-sunset request minor",
    ]);
    expect(verdictsOf(compare(until("2027-01-01"), documentWith({})))).toEqual([
      "removed-before-sunset request major",
    ]);
  });

  test("have parameters of the path or of their own", () => {
    const parameter = { name: "limit", in: "query", schema: { type: "integer" } };
    const atPath = documentWith({ paths: { "/things": { parameters: [parameter], get } } });
    const atOperation = documentWith({
      paths: { "/things": { get: { ...get, parameters: [parameter] } } },
    });
    expect(verdictsOf(compare(atPath, atOperation))).toEqual([]);
  });

  test("swap directions in callbacks", () => {
    const withCallback = (schema: Json) =>
      operationWith({
        callbacks: {
          done: { "{$request.body#/url}": { post: { requestBody: jsonBody(schema), ...get } } },
        },
      });
    const result = compare(withCallback({ enum: ["a"] }), withCallback({ enum: ["a", "b"] }));
    expect(verdictsOf(result)).toEqual(["enum-value-added response major"]);
    expect(result.changes[0]?.place).toContain("POST /things, callback done: POST");
  });
});

describe("statuses next to a default response", () => {
  const problem = { description: "Problem.", ...jsonBody({ type: "object" }) };
  const done = { description: "Done.", ...jsonBody({ type: "object" }) };
  const answers = (responses: JsonObject) => operationWith({ responses });

  test("that are errors may be declared without a body", () => {
    const base = answers({ 200: done, default: problem });
    const named = answers({ 200: done, 418: { description: "A teapot." }, default: problem });
    expect(verdictsOf(compare(base, named))).toEqual(["error-status-added response minor"]);
    expect(compare(named, base).verdict).not.toBe("major");
  });

  test("that are successes are not replaced by it", () => {
    expect(
      verdictsOf(compare(answers({ 200: done, default: done }), answers({ default: done }))),
    ).toEqual(["success-status-removed response major"]);
  });
});
