import { expect, test } from "vitest";
import type { OpenApiDocument } from "../document.ts";
import { collectionOf, operationsIndex } from "./operations-index.ts";

const header = { description: "Trace.", required: true, schema: { type: "string" } };

const documentWith = (operation: object): OpenApiDocument =>
  ({
    info: { "x-deprecated-at": "2026-01-01T00:00:00Z" },
    paths: {
      "/things/v1": {
        get: {
          operationId: "thing.get.v1",
          "x-method-name": "getThing",
          tags: ["User Management"],
          summary: "s",
          description: "d",
          security: [{ oauth2: ["things:read"] }],
          responses: { "200": success({ type: "array", items: { type: "string" } }) },
          ...operation,
        },
      },
    },
    components: {
      schemas: {
        Envelope: { type: "object" },
        Thing: { type: "object" },
        ThingId: { type: "string" },
      },
      parameters: {
        Filter: {
          name: "filter",
          in: "query",
          description: "f",
          schema: { $ref: "#/components/schemas/ThingId" },
          "x-fql": { use: "filter", resource: "things", fields: { id: { type: "string" } } },
        },
      },
      headers: { "X-Trace-Id": header },
      responses: { NotFound: { description: "None.", content: {} } },
      examples: { one: { summary: "One.", value: ["a"] } },
    },
  }) as unknown as OpenApiDocument;

const success = (schema: object) => ({
  description: "ok",
  headers: { "X-Trace-Id": { $ref: "#/components/headers/X-Trace-Id" } },
  content: {
    "application/json": { schema, examples: { one: { $ref: "#/components/examples/one" } } },
  },
});

const indexed = (operation: object = {}) => operationsIndex(documentWith(operation))[0];

test("everything is resolved except the schemas of bodies", () => {
  const operation = indexed({
    parameters: [{ $ref: "#/components/parameters/Filter" }],
    responses: {
      "404": { $ref: "#/components/responses/NotFound" },
      "200": success({ type: "array", items: { $ref: "#/components/schemas/Thing" } }),
    },
  });
  expect(operation).toEqual({
    id: "thing.get.v1",
    document: "platform",
    methodName: "getThing",
    method: "get",
    path: "/things/v1",
    collection: "user-management",
    tag: "User Management",
    summary: "s",
    description: "d",
    deprecated: false,
    scope: "things:read",
    parameters: [
      {
        name: "filter",
        in: "query",
        required: false,
        description: "f",
        schema: { type: "string" },
        fql: { use: "filter", resource: "things" },
      },
    ],
    responses: [
      {
        status: 200,
        description: "ok",
        content: {
          "application/json": {
            schema: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
            examples: { one: { summary: "One.", value: ["a"] } },
          },
        },
        headers: { "X-Trace-Id": header },
      },
      { status: 404, description: "None.", content: {}, headers: {} },
    ],
    successStatus: 200,
    paging: "none",
    answer: "records",
  });
});

test.each([
  [{ type: "array", items: { type: "string" } }, "ids"],
  [{ type: "array", items: { $ref: "#/components/schemas/ThingId" } }, "ids"],
  [{ $ref: "#/components/schemas/Thing" }, "object"],
  [{ $ref: "#/components/schemas/Envelope" }, "envelope"],
])("a success of %j contains %s", (schema, answer) => {
  expect(indexed({ responses: { "201": success(schema) } })).toMatchObject({
    answer,
    successStatus: 201,
  });
});

test("a success without JSON is a file, unless the document specifies otherwise", () => {
  const responses = { "200": { description: "ok", content: { "text/csv": { schema: {} } } } };
  expect(indexed({ responses })?.answer).toBe("file");
  expect(indexed({ responses, "x-answer": "object" })?.answer).toBe("object");
});

test("the scope is null if a call without a token is allowed", () => {
  expect(indexed({ security: [] })?.scope).toBeNull();
  expect(indexed({ security: [{ clientCredentials: [] }, {}] })?.scope).toBeNull();
});

test("the cursor is sent in after, or in the parameter that is marked", () => {
  expect(indexed({ "x-paging": "after" })?.cursorParameter).toBe("after");
  const marked = { name: "offset", in: "query", schema: {}, "x-cursor": true };
  expect(indexed({ "x-paging": "after", parameters: [marked] })?.cursorParameter).toBe("offset");
  expect(indexed({ "x-paging": "offset" })).not.toHaveProperty("cursorParameter");
});

test("deprecation and its successor are included", () => {
  expect(indexed({ deprecated: true, "x-replaced-by": "thing.get.v2" })).toMatchObject({
    deprecated: true,
    replacedBy: "thing.get.v2",
  });
  expect(indexed({ deprecated: true, "x-replaced-by": null })).not.toHaveProperty("replacedBy");
  expect(indexed()).not.toHaveProperty("deprecatedAt");
  expect(indexed({ deprecated: true })?.deprecatedAt).toBe(1_767_225_600);
  const own = { deprecated: true, "x-deprecated-at": "2026-02-01T00:00:00Z" };
  expect(indexed(own)?.deprecatedAt).toBe(1_769_904_000);
  expect(() => indexed({ ...own, "x-deprecated-at": "soon" })).toThrow(
    "deprecation time of thing.get.v1",
  );
});

test("every response of the operation may have the deprecation headers", () => {
  const deprecatedSuccess = { ...success({ type: "object" }), headers: { Deprecation: header } };
  const responses = {
    "200": deprecatedSuccess,
    "404": { $ref: "#/components/responses/NotFound" },
  };
  const headersOf = (deprecated: boolean) =>
    indexed({ deprecated, responses })?.responses.map(({ headers }) => headers);
  expect(headersOf(true)).toEqual([
    { Deprecation: header },
    { Deprecation: { ...header, required: false } },
  ]);
  expect(headersOf(false)).toEqual([{ Deprecation: header }, {}]);
});

test("an operation without a success is rejected", () => {
  expect(() => indexed({ responses: {} })).toThrow("thing.get.v1 documents no success");
});

test("a collection is named after its tag, with one short form", () => {
  expect(collectionOf("User Management")).toBe("user-management");
  expect(collectionOf("Data Protection Configuration")).toBe("data-protection");
});
