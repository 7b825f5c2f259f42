import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, jsonBody, operationWith } from "../../src/testing/documents.ts";
import { done, familyOf, integer, object, pairs, text } from "./pair.ts";

/** A second list of pairs that were written after the others, with their verdicts. */
const { p } = familyOf("further pairs, second list");

// Servers.
const served = (...s: readonly JsonObject[]) =>
  documentWith({ servers: s, paths: { "/a": { get: { responses: { 204: done } } } } });
p(
  "var enum one -> two servers",
  served({ url: "https://{r}.a.example", variables: { r: { default: "eu", enum: ["eu"] } } }),
  served({ url: "https://eu.a.example" }, { url: "https://us.a.example" }),
  "minor",
  "major",
);
p(
  "two templates",
  served({
    url: "https://{r}.a.example/{v}",
    variables: { r: { default: "eu", enum: ["eu", "us"] }, v: { default: "v1", enum: ["v1"] } },
  }),
  served(
    { url: "https://eu.a.example/{v}", variables: { v: { default: "v1", enum: ["v1"] } } },
    { url: "https://us.a.example/v1" },
  ),
  "none",
  "none",
);
p(
  "var renamed",
  served({ url: "https://{r}.a.example", variables: { r: { default: "eu", enum: ["eu", "us"] } } }),
  served({
    url: "https://{region}.a.example",
    variables: { region: { default: "eu", enum: ["eu", "us"] } },
  }),
  "none",
  "none",
);
p(
  "free var renamed",
  served({ url: "https://{r}.a.example", variables: { r: { default: "eu" } } }),
  served({ url: "https://{region}.a.example", variables: { region: { default: "eu" } } }),
  "none",
  "none",
);
p(
  "base path in variable moved to paths",
  documentWith({
    servers: [{ url: "https://a.example/{b}", variables: { b: { default: "v1", enum: ["v1"] } } }],
    paths: { "/a": { get: { responses: { 204: done } } } },
  }),
  documentWith({
    servers: [{ url: "https://a.example" }],
    paths: { "/v1/a": { get: { responses: { 204: done } } } },
  }),
  "none",
  "none",
);
// Media types.
const answered = (c: string) =>
  operationWith({
    responses: { 200: { ...done, content: { [c]: { schema: object({ a: text }) } } } },
  });
const sent = (c: string) =>
  operationWith({ requestBody: { content: { [c]: { schema: object({ a: text }) } } } });
p("res json -> *", answered("application/json"), answered("*/*"), "major", "patch");
p("req xml -> text/xml", sent("application/xml"), sent("text/xml"), "major", "major");
p("req q param", sent("application/json;q=1"), sent("application/json"), "minor", "major");
// Statuses.
const responding = (r: JsonObject) => operationWith({ responses: r });
p(
  "default -> 200",
  responding({ default: { ...done, ...jsonBody(text) } }),
  responding({ 200: { ...done, ...jsonBody(text) } }),
  "patch",
  "major",
);
p(
  "200 -> default only",
  responding({ 200: done }),
  responding({ default: done }),
  "major",
  "patch",
);
p(
  "2XX -> 200,201",
  responding({ "2XX": done }),
  responding({ 200: done, 201: done }),
  "patch",
  "minor",
);
p("1XX", responding({ 200: done }), responding({ 200: done, 100: done }), "minor", "major");
// Forms.
const uploaded = (schema: Json, encoding?: JsonObject, type = "multipart/form-data") =>
  operationWith({
    requestBody: { content: { [type]: { schema, ...(encoding ? { encoding } : {}) } } },
  });
p(
  "multipart int part to string",
  uploaded(object({ a: integer })),
  uploaded(object({ a: text })),
  "minor",
  "major",
);
p(
  "multipart null member",
  uploaded(object({ a: text })),
  uploaded(object({ a: { type: ["string", "null"] } })),
  "none",
  "none",
);
p(
  "urlencoded array of objects",
  uploaded(object({ a: object({ x: text }) }), undefined, "application/x-www-form-urlencoded"),
  uploaded(
    object({ a: { type: "array", items: object({ x: text }) } }),
    undefined,
    "application/x-www-form-urlencoded",
  ),
  "major",
  "major",
);
p(
  "encoding in response multipart style json",
  operationWith({
    responses: {
      200: {
        ...done,
        content: {
          "application/json": {
            schema: object({ a: text }),
            encoding: { a: { contentType: "text/csv" } },
          },
        },
      },
    },
  }),
  operationWith({
    responses: {
      200: {
        ...done,
        content: {
          "application/json": {
            schema: object({ a: text }),
            encoding: { a: { contentType: "text/plain, text/csv" } },
          },
        },
      },
    },
  }),
  "none",
  "none",
);
p(
  "deepObject style in urlencoded for object",
  uploaded(
    object({ o: object({ x: text }) }),
    { o: { style: "deepObject", explode: true } },
    "application/x-www-form-urlencoded",
  ),
  uploaded(object({ o: object({ x: text }) }), undefined, "application/x-www-form-urlencoded"),
  "major",
  "major",
);
p(
  "encoding explode on primitive",
  uploaded(object({ a: text }), { a: { explode: false } }, "application/x-www-form-urlencoded"),
  uploaded(object({ a: text }), undefined, "application/x-www-form-urlencoded"),
  "none",
  "none",
);
// Headers.
const header = (s: Json, m: JsonObject = {}) =>
  operationWith({ responses: { 200: { ...done, headers: { "X-A": { schema: s, ...m } } } } });
p(
  "header content null",
  operationWith({
    responses: {
      200: {
        ...done,
        headers: { "X-A": { content: { "application/json": { schema: object({ a: text }) } } } },
      },
    },
  }),
  operationWith({
    responses: {
      200: {
        ...done,
        headers: {
          "X-A": {
            content: {
              "application/json": { schema: { ...object({ a: text }), type: ["object", "null"] } },
            },
          },
        },
      },
    },
  }),
  "major",
  "patch",
);
p(
  "header array single",
  header(integer),
  header({ type: "array", items: integer, maxItems: 1, minItems: 1 }),
  "none",
  "none",
);
p(
  "path-level servers",
  documentWith({
    paths: { "/a": { servers: [{ url: "https://a.example" }], get: { responses: { 204: done } } } },
  }),
  documentWith({
    paths: { "/a": { get: { servers: [{ url: "https://a.example" }], responses: { 204: done } } } },
  }),
  "none",
  "none",
);

export const secondListMessages = pairs;
