import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, operationWith, requestOf, responseOf } from "../../src/testing/documents.ts";
import { done, integer, object, pairs, pair, same, text } from "./pair.ts";

// Null.
const query = (schema: Json, more: JsonObject = {}, openapi = "3.1.0") =>
  operationWith({ parameters: [{ name: "q", in: "query", schema, ...more }] }, {}, openapi);
pair(
  "null",
  "in a query parameter",
  query({ type: ["string", "null"] }),
  query(text),
  "none",
  "none",
);
pair(
  "null",
  "in a query parameter of 3.0",
  query({ ...text, nullable: true }, {}, "3.0.3"),
  query(text, {}, "3.0.3"),
  "none",
  "none",
);
pair(
  "null",
  "a number or null in a query parameter",
  query({ type: ["integer", "null"] }),
  query(integer),
  "none",
  "none",
);
same("null", "nullable left in 3.1", { ...text, nullable: true }, { ...text, nullable: true }, [
  "3.0.3",
  "3.1.0",
]);
same("null", "nullable repaired in 3.1", { ...text, nullable: true }, { type: ["string", "null"] });
same(
  "null",
  "nullable beside an enumeration in 3.1",
  { ...text, enum: ["a"], nullable: true },
  { type: ["string", "null"], enum: ["a", null] },
);

// Values as text.
pair(
  "values as text",
  "numbers listed as text in a query",
  query({ enum: [1, 2] }),
  query({ enum: ["1", "2"] }),
  "none",
  "none",
);
pair(
  "values as text",
  "a listed value less",
  query({ enum: [1, 2] }),
  query({ enum: ["1"] }),
  "major",
  "minor",
);
pair(
  "values as text",
  "true as text",
  query({ enum: [true] }),
  query({ enum: ["true"] }),
  "none",
  "none",
);

// URLs.
const served = (url: string, path: string, variables?: JsonObject) =>
  documentWith({
    servers: [{ url, ...(variables === undefined ? {} : { variables }) }],
    paths: { [path]: { get: { responses: { 200: done } } } },
  });
pair(
  "urls",
  "a base path moved to the paths",
  served("https://a.example/v1", "/things"),
  served("https://a.example", "/v1/things"),
  "none",
  "none",
);
pair(
  "urls",
  "a default port",
  served("https://a.example", "/a"),
  served("https://a.example:443", "/a"),
  "none",
  "none",
);
pair(
  "urls",
  "the case of the host",
  served("https://A.example", "/a"),
  served("https://a.EXAMPLE", "/a"),
  "none",
  "none",
);
pair(
  "urls",
  "a slash at the end",
  served("https://a.example/", "/a"),
  served("https://a.example", "/a"),
  "none",
  "none",
);
pair(
  "urls",
  "a variable with one value",
  served("https://{r}.example", "/a", { r: { default: "eu", enum: ["eu"] } }),
  served("https://eu.example", "/a"),
  "none",
  "none",
);
pair(
  "urls",
  "another port",
  served("https://a.example", "/a"),
  served("https://a.example:8443", "/a"),
  "major",
  "major",
);
pair(
  "urls",
  "the case of the path",
  served("https://a.example/V1", "/a"),
  served("https://a.example/v1", "/a"),
  "major",
  "major",
);

// Declarations that come late.
const path = (parameters: readonly JsonObject[]) =>
  documentWith({
    paths: { "/a/{id}": { get: { parameters: [...parameters], responses: { 200: done } } } },
  });
const id = { name: "id", in: "path", required: true, schema: text };
pair("late declarations", "a path parameter", path([]), path([id]), "none", "none");
pair(
  "late declarations",
  "a path parameter with a limit",
  path([]),
  path([{ ...id, schema: { ...text, maxLength: 9 } }]),
  "major",
  "minor",
);
pair(
  "late declarations",
  "a member of a request",
  requestOf(object({ a: text }, { required: ["c"] })),
  requestOf(object({ a: text, c: integer }, { required: ["c"] })),
  "minor",
  "major",
);
pair(
  "late declarations",
  "a member of a response",
  responseOf(object({ a: text }, { required: ["c"] })),
  responseOf(object({ a: text, c: integer }, { required: ["c"] })),
  "minor",
  "major",
);

// Parameters by what is sent.
const parameters = (...all: readonly JsonObject[]) => operationWith({ parameters: [...all] });
pair(
  "parameters",
  "two become one exploded object",
  parameters({ name: "a", in: "query", schema: text }, { name: "b", in: "query", schema: integer }),
  parameters({
    name: "q",
    in: "query",
    style: "form",
    explode: true,
    schema: object({ a: text, b: integer }),
  }),
  "none",
  "none",
);
pair(
  "parameters",
  "one or null becomes a list",
  query({ type: ["string", "null"] }),
  query({ type: "array", items: text }),
  "minor",
  "major",
);
pair(
  "parameters",
  "one becomes a list",
  query(text),
  query({ type: "array", items: text }),
  "minor",
  "major",
);

// Examples.
pair(
  "examples",
  "one that only follows from a change beside it",
  operationWith({
    requestBody: {
      required: true,
      content: { "application/json": { schema: object({ a: text }), example: { a: "x" } } },
    },
  }),
  operationWith({
    requestBody: {
      required: true,
      content: { "application/json": { schema: object({ a: integer }), example: { a: 1 } } },
    },
  }),
  "major",
  "major",
);

export const parameterPairs = pairs;
