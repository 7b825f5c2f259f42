import type { JsonObject } from "../../src/json.ts";
import { documentWith, operationWith } from "../../src/testing/documents.ts";
import { familyOf, pairs, integer as int, object as obj, text } from "./pair.ts";

/** Siblings of the pairs in the other files: the same kinds of change at other keywords and places. */
const q = (schema: JsonObject, more: JsonObject = {}, v = "3.1.0") =>
  operationWith({ parameters: [{ name: "q", in: "query", schema, ...more }] }, {}, v);
const qs = (...parameters: readonly JsonObject[]) => operationWith({ parameters });
const hdr = (schema: JsonObject, more: JsonObject = {}) =>
  operationWith({
    responses: { 200: { description: "x", headers: { "X-A": { schema, ...more } } } },
  });

{
  const { p } = familyOf("parameters, siblings");
  p("q bool enum", q({ type: "boolean" }), q({ enum: ["true", "false"] }), "none", "none");
  p(
    "q items",
    q({ type: "array", items: { enum: [1, 2] } }),
    q({ type: "array", items: { enum: ["1", "2"] } }),
    "none",
    "none",
  );
  p(
    "path enum",
    q({ enum: [1, 2] }, { in: "header" }),
    q({ enum: ["1", "2"] }, { in: "header" }),
    "none",
    "none",
  );
  p(
    "q nullable items",
    q({ type: "array", items: { type: ["string", "null"] } }),
    q({ type: "array", items: text }),
    "none",
    "none",
  );
  p(
    "q one or null to list",
    q({ type: ["string", "null"] }),
    q({ type: "array", items: text }),
    "minor",
    "major",
  );
  p("q int to list", q(int), q({ type: "array", items: int }), "minor", "major");
  p("q integer to number", q(int), q({ type: "number" }), "minor", "major");
  p("q integer to string", q(int), q(text), "minor", "major");
  p("q string to uuid", q(text), q({ ...text, format: "uuid" }), "major", "minor");
  p("q enum int subset", q({ enum: [1, 2, 3] }), q({ enum: ["1", "2"] }), "major", "minor");
  p(
    "explode list simple header",
    q({ type: "array", items: text }, { in: "header", explode: false }),
    q({ type: "array", items: text }, { in: "header", explode: true }),
    "none",
    "none",
  );
  p(
    "header object explode",
    hdr(obj({ a: text })),
    hdr(obj({ a: text }), { explode: true }),
    "major",
    "major",
  );
  p(
    "header list explode",
    hdr({ type: "array", items: text }),
    hdr({ type: "array", items: text }, { explode: true }),
    "none",
    "none",
  );
  p(
    "header content json",
    hdr(text),
    operationWith({
      responses: {
        200: {
          description: "x",
          headers: { "X-A": { content: { "application/json": { schema: text } } } },
        },
      },
    }),
    "major",
    "major",
  );
  p(
    "params to object",
    qs({ name: "a", in: "query", schema: text }, { name: "b", in: "query", schema: int }),
    qs({ name: "o", in: "query", style: "form", explode: true, schema: obj({ a: text, b: int }) }),
    "none",
    "none",
  );
  p(
    "params to object one required",
    qs(
      { name: "a", in: "query", required: true, schema: text },
      { name: "b", in: "query", schema: int },
    ),
    qs({
      name: "o",
      in: "query",
      required: true,
      schema: obj({ a: text, b: int }, { required: ["a"] }),
    }),
    "none",
    "none",
  );
  p(
    "params to object lost",
    qs({ name: "a", in: "query", schema: text }, { name: "b", in: "query", schema: int }),
    qs({ name: "o", in: "query", schema: obj({ a: text }) }),
    "major",
    "minor",
  );
  p(
    "cookie params to object",
    qs({ name: "a", in: "cookie", schema: text }, { name: "b", in: "cookie", schema: int }),
    qs({ name: "o", in: "cookie", schema: obj({ a: text, b: int }) }),
    "none",
    "none",
  );
  p(
    "spell style",
    q({ type: "array", items: text }),
    q(
      { type: "array", items: text },
      {
        style: "form",
        explode: true,
        allowReserved: false,
        allowEmptyValue: false,
        required: false,
        deprecated: false,
      },
    ),
    "none",
    "none",
  );
  p(
    "required in path spelled",
    documentWith({
      paths: {
        "/a/{x}": { get: { parameters: [{ name: "x", in: "path", schema: text }], responses: {} } },
      },
    }),
    documentWith({
      paths: {
        "/a/{x}": {
          get: {
            parameters: [{ name: "x", in: "path", required: true, schema: text }],
            responses: {},
          },
        },
      },
    }),
    "none",
    "none",
  );
  p(
    "path var declared",
    documentWith({ paths: { "/a/{x}": { get: { responses: {} } } } }),
    documentWith({
      paths: {
        "/a/{x}": {
          parameters: [{ name: "x", in: "path", required: true, schema: text }],
          get: { responses: {} },
        },
      },
    }),
    "none",
    "none",
  );
  p(
    "path var declared int",
    documentWith({ paths: { "/a/{x}": { get: { responses: {} } } } }),
    documentWith({
      paths: {
        "/a/{x}": {
          parameters: [{ name: "x", in: "path", required: true, schema: int }],
          get: { responses: {} },
        },
      },
    }),
    "major",
    "minor",
  );
  p(
    "item param vs op param",
    documentWith({
      paths: {
        "/a": { parameters: [{ name: "x", in: "query", schema: text }], get: { responses: {} } },
      },
    }),
    documentWith({
      paths: {
        "/a": { get: { parameters: [{ name: "x", in: "query", schema: text }], responses: {} } },
      },
    }),
    "none",
    "none",
  );
  p(
    "header param case",
    q(text, { in: "header", name: "X-Trace" }),
    q(text, { in: "header", name: "x-trace" }),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("encodings, siblings");
  const form = (
    enc: JsonObject | undefined,
    type = "multipart/form-data",
    props: JsonObject = {
      a: text,
      o: obj({ x: text }),
      l: { type: "array", items: text },
      f: { ...text, format: "binary" },
    },
  ) =>
    operationWith({
      requestBody: {
        content: { [type]: { schema: obj(props), ...(enc ? { encoding: enc } : {}) } },
      },
    });
  p("enc empty", form(undefined), form({}), "none", "none");
  p(
    "enc defaults multipart",
    form(undefined),
    form({
      a: { contentType: "text/plain" },
      o: { contentType: "application/json" },
      l: { contentType: "text/plain" },
      f: { contentType: "application/octet-stream" },
    }),
    "none",
    "none",
  );
  p("enc headers empty", form({ a: {} }), form({ a: { headers: {} } }), "none", "none");
  p(
    "enc header order",
    form({ a: { headers: { X: { schema: text }, Y: { schema: text } } } }),
    form({ a: { headers: { y: { schema: text }, X: { schema: text } } } }),
    "none",
    "none",
  );
  p("enc unknown member", form({}), form({ zz: { contentType: "image/png" } }), "none", "none");
  p("enc other type", form({}), form({ f: { contentType: "image/png" } }), "major", "major");
  p(
    "enc allowReserved false",
    form({}, "application/x-www-form-urlencoded"),
    form({ a: { allowReserved: false } }, "application/x-www-form-urlencoded"),
    "none",
    "none",
  );
  p(
    "enc type with charset",
    form({ a: { contentType: "text/plain; charset=utf-8" } }),
    form({ a: { contentType: "text/plain;charset=UTF-8" } }),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("forms, siblings");
  const ue = (schema: JsonObject) =>
    operationWith({
      requestBody: {
        content: { "application/x-www-form-urlencoded": { schema: obj({ m: schema }) } },
      },
    });
  p("urlencoded enum", ue({ enum: [1, 2] }), ue({ enum: ["1", "2"] }), "none", "none");
  p("urlencoded int to string", ue(int), ue(text), "minor", "major");
  p("urlencoded null", ue({ type: ["string", "null"] }), ue(text), "none", "none");
}

{
  const { p } = familyOf("values as text, siblings");
  p("a default of null", q({ type: ["string", "null"], default: null }), q(text), "none", "none");
  p("a default", q({ ...int, default: 1 }), q({ ...text, default: "1" }), "minor", "major");
  p("a constant", q({ const: 1 }), q({ const: "1" }), "none", "none");
  p("a value more", q({ enum: [1, 2] }), q({ enum: ["1", "2", "3"] }), "minor", "major");
}

export const siblingsParameters = pairs;
