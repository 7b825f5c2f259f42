import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, jsonBody, operationWith, responseOf } from "../../src/testing/documents.ts";
import { done, familyOf, integer, object, pairs, text } from "./pair.ts";

/** Pairs that were written after the others, with their verdicts, to see how good the gate is. */
const { p } = familyOf("further pairs");

// Forms.
const uploaded = (schema: Json, encoding?: JsonObject, type = "multipart/form-data") =>
  operationWith({
    requestBody: { content: { [type]: { schema, ...(encoding ? { encoding } : {}) } } },
  });
p(
  "encoding in json with headers",
  operationWith({
    requestBody: {
      content: {
        "application/json": {
          schema: object({ a: text }),
          encoding: { a: { headers: { X: { required: true, schema: text } } } },
        },
      },
    },
  }),
  operationWith({
    requestBody: { content: { "application/json": { schema: object({ a: text }) } } },
  }),
  "none",
  "none",
);
p(
  "encoding in +json",
  operationWith({
    requestBody: {
      content: {
        "application/vnd.a+json": {
          schema: object({ a: object({}) }),
          encoding: { a: { contentType: "text/plain" } },
        },
      },
    },
  }),
  operationWith({
    requestBody: { content: { "application/vnd.a+json": { schema: object({ a: object({}) }) } } },
  }),
  "none",
  "none",
);
const file = object({ f: { ...text, format: "binary" } });
p(
  "png,gif -> image/*",
  uploaded(file, { f: { contentType: "image/png, image/gif" } }),
  uploaded(file, { f: { contentType: "image/*" } }),
  "minor",
  "major",
);
p(
  "image/* -> text/*",
  uploaded(file, { f: { contentType: "image/*" } }),
  uploaded(file, { f: { contentType: "text/*" } }),
  "major",
  "major",
);
p(
  "part header optional->required",
  uploaded(file, { f: { headers: { "X-H": { schema: text } } } }),
  uploaded(file, { f: { headers: { "x-h": { required: true, schema: text } } } }),
  "major",
  "minor",
);
p(
  "part header enum grows",
  uploaded(file, { f: { headers: { "X-H": { schema: { enum: ["a"] } } } } }),
  uploaded(file, { f: { headers: { "X-H": { schema: { enum: ["a", "b"] } } } } }),
  "minor",
  "major",
);
p(
  "urlencoded bool->array bool",
  uploaded(object({ a: { type: "boolean" } }), undefined, "application/x-www-form-urlencoded"),
  uploaded(
    object({ a: { type: "array", items: { type: "boolean" } } }),
    undefined,
    "application/x-www-form-urlencoded",
  ),
  "minor",
  "major",
);
p(
  "multipart string->array of integer",
  uploaded(object({ a: text })),
  uploaded(object({ a: { type: "array", items: integer } })),
  "major",
  "major",
);
p(
  "multipart string->array of string maxItems 5",
  uploaded(object({ a: text })),
  uploaded(object({ a: { type: "array", items: text, maxItems: 5 } })),
  "minor",
  "major",
);
p(
  "mixed: json string->array",
  operationWith({
    requestBody: { content: { "application/json": { schema: object({ a: text }) } } },
  }),
  operationWith({
    requestBody: {
      content: { "application/json": { schema: object({ a: { type: "array", items: text } }) } },
    },
  }),
  "major",
  "major",
);
// Null in headers.
const header = (s: Json, m: JsonObject = {}) =>
  operationWith({ responses: { 200: { ...done, headers: { "X-A": { schema: s, ...m } } } } });
p(
  "header array items null",
  header({ type: "array", items: text }),
  header({ type: "array", items: { type: ["string", "null"] } }),
  "none",
  "none",
);
p(
  "header enum + null",
  header({ enum: ["a"] }),
  header({ enum: ["a", null], type: ["string", "null"] }),
  "none",
  "none",
);
p(
  "header null -> optional removed type",
  header({ type: ["integer", "null"] }),
  header(text),
  "major",
  "patch",
);
// Empty schemas.
p(
  "response {} to {nullable:true} 3.0",
  responseOf({}, {}, "3.0.3"),
  responseOf({ nullable: true }, {}, "3.0.3"),
  "none",
  "none",
);
p(
  "no schema vs anyOf[{}]",
  operationWith({ responses: { 200: { ...done, content: { "application/json": {} } } } }),
  operationWith({
    responses: { 200: { ...done, content: { "application/json": { schema: { allOf: [{}] } } } } },
  }),
  "none",
  "none",
);
p(
  "no schema -> object (req)",
  operationWith({ requestBody: { content: { "application/json": {} } } }),
  operationWith({
    requestBody: { content: { "application/json": { schema: { type: "object" } } } },
  }),
  "major",
  "minor",
);
// Servers.
const served = (...s: readonly JsonObject[]) =>
  documentWith({ servers: s, paths: { "/a": { get: { responses: { 204: done } } } } });
p(
  "path variable v1,v2 vs two servers",
  served({ url: "https://a.example/{v}", variables: { v: { default: "v1", enum: ["v1", "v2"] } } }),
  served({ url: "https://a.example/v1" }, { url: "https://a.example/v2" }),
  "none",
  "none",
);
p(
  "variable wider than listed servers",
  served({ url: "https://a.example/v1" }),
  served({ url: "https://a.example/{v}", variables: { v: { default: "v1", enum: ["v1", "v2"] } } }),
  "minor",
  "major",
);
p(
  "scheme variable",
  served({
    url: "{s}://a.example",
    variables: { s: { default: "https", enum: ["https", "http"] } },
  }),
  served({ url: "https://a.example" }, { url: "http://a.example" }),
  "none",
  "none",
);
p(
  "variable + other server kept",
  served(
    { url: "https://{r}.a.example", variables: { r: { default: "eu", enum: ["eu", "us"] } } },
    { url: "https://b.example" },
  ),
  served(
    { url: "https://b.example" },
    { url: "https://us.a.example" },
    { url: "https://eu.a.example" },
  ),
  "none",
  "none",
);
// Media types.
const patched = (c: string) =>
  documentWith({
    paths: {
      "/a": {
        patch: {
          requestBody: { content: { [c]: { schema: object({ a: text }) } } },
          responses: { 204: done },
        },
      },
    },
  });
p(
  "json-patch -> json",
  patched("application/json-patch+json"),
  patched("application/json"),
  "major",
  "major",
);
p(
  "merge-patch -> both",
  patched("application/merge-patch+json"),
  documentWith({
    paths: {
      "/a": {
        patch: {
          requestBody: {
            content: {
              "application/merge-patch+json": { schema: object({ a: text }) },
              "application/json": { schema: object({ a: text }) },
            },
          },
          responses: { 204: done },
        },
      },
    },
  }),
  "minor",
  "major",
);
const answered = (c: string) =>
  operationWith({
    responses: { 200: { ...done, content: { [c]: { schema: object({ a: text }) } } } },
  });
p(
  "response json;v=1 -> json;v=1;charset=utf-8",
  answered("application/json;v=1"),
  answered("application/json;charset=utf-8;v=1"),
  "patch",
  "patch",
);
p(
  "response vnd;v=2 lost",
  answered("application/vnd.x+json;v=2"),
  answered("application/vnd.x+json"),
  "major",
  "patch",
);
p(
  "response text/csv;header=present lost",
  answered("text/csv;header=present"),
  answered("text/csv"),
  "major",
  "patch",
);
// Statuses.
const responding = (r: JsonObject) => operationWith({ responses: r });
p(
  "200,204 -> 2XX with body same",
  responding({ 200: { ...done, ...jsonBody(text) }, 404: done }),
  responding({ "2XX": { ...done, ...jsonBody(text) }, 404: done }),
  "minor",
  "patch",
);
p(
  "201 -> 2XX body differs",
  responding({ 201: { ...done, ...jsonBody(text) } }),
  responding({ "2XX": { ...done, ...jsonBody(integer) } }),
  "major",
  "major",
);
p(
  "5XX -> 503",
  responding({ 200: done, "5XX": done }),
  responding({ 200: done, 503: done }),
  "minor",
  "minor",
);
p("3XX -> 302", responding({ "3XX": done }), responding({ 302: done }), "patch", "minor");
const hooked = (r: JsonObject) =>
  documentWith({
    webhooks: { w: { post: { requestBody: jsonBody(object({ a: text })), responses: r } } },
  });
p(
  "webhook reply body member required",
  hooked({ 200: { ...done, ...jsonBody(object({ ok: text })) } }),
  hooked({ 200: { ...done, ...jsonBody(object({ ok: text }, { required: ["ok"] })) } }),
  "major",
  "minor",
);
p(
  "webhook reply enum grows",
  hooked({ 200: { ...done, ...jsonBody({ enum: ["a"] }) } }),
  hooked({ 200: { ...done, ...jsonBody({ enum: ["a", "b"] }) } }),
  "minor",
  "major",
);
p("webhook 2XX -> 204", hooked({ "2XX": done }), hooked({ 204: done }), "major", "minor");
p(
  "webhook reply 200 -> 200+default",
  hooked({ 200: done }),
  hooked({ 200: done, default: done }),
  "minor",
  "patch",
);
p(
  "unused scheme renamed and described",
  operationWith(
    { security: [{ a: [] }] },
    {
      components: {
        securitySchemes: {
          a: { type: "http", scheme: "bearer" },
          old: { type: "apiKey", in: "query", name: "k" },
        },
      },
    },
  ),
  operationWith(
    { security: [{ a: [] }] },
    {
      components: {
        securitySchemes: {
          a: { type: "http", scheme: "bearer" },
          fresh: { type: "apiKey", in: "query", name: "k", description: "The key." },
        },
      },
    },
  ),
  "none",
  "none",
);
p(
  "query string to array, pipeDelimited both",
  operationWith({
    parameters: [
      { name: "q", in: "query", style: "pipeDelimited", explode: false, schema: integer },
    ],
  }),
  operationWith({
    parameters: [
      {
        name: "q",
        in: "query",
        style: "pipeDelimited",
        explode: false,
        schema: { type: "array", items: integer },
      },
    ],
  }),
  "minor",
  "major",
);
p(
  "cookie required with default -> optional same default",
  operationWith({
    parameters: [{ name: "c", in: "cookie", required: true, schema: { ...text, default: "x" } }],
  }),
  operationWith({ parameters: [{ name: "c", in: "cookie", schema: { ...text, default: "x" } }] }),
  "minor",
  "major",
);

export const furtherMessagePairs = pairs;
