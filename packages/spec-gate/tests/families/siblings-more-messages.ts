import type { JsonObject } from "../../src/json.ts";
import { documentWith, operationWith } from "../../src/testing/documents.ts";
import { done, familyOf, integer as int, object as obj, pairs, text } from "./pair.ts";

{
  const { p } = familyOf("responses, siblings");
  const r = (responses: JsonObject) => operationWith({ responses });
  p(
    "2XX to 200",
    r({ "2XX": { ...done, content: { "application/json": { schema: text } } } }),
    r({ 200: { ...done, content: { "application/json": { schema: text } } } }),
    "patch",
    "minor",
  );
  p("200 to 201", r({ 200: done }), r({ 201: done }), "major", "major");
  p(
    "content added to 204",
    r({ 204: done }),
    r({ 204: { ...done, content: { "application/json": { schema: text } } } }),
    "minor",
    "major",
  );
  p(
    "error content changed",
    r({
      200: done,
      400: { ...done, content: { "application/json": { schema: obj({ a: text }) } } },
    }),
    r({
      200: done,
      400: { ...done, content: { "application/json": { schema: obj({ b: text }) } } },
    }),
    "major",
    "major",
  );
  p(
    "default to 4XX 5XX",
    r({ 200: done, default: { ...done, content: { "application/json": { schema: text } } } }),
    r({
      200: done,
      "4XX": { ...done, content: { "application/json": { schema: text } } },
      "5XX": { ...done, content: { "application/json": { schema: text } } },
    }),
    "none",
    "none",
  );
  p(
    "header required removed",
    r({ 200: { ...done, headers: { A: { required: true, schema: text } } } }),
    r({ 200: done }),
    "major",
    "minor",
  );
  p(
    "set cookie",
    r({ 200: { ...done, headers: { "Content-Type": { schema: text } } } }),
    r({ 200: done }),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("webhooks, siblings");
  const wh = (n: string, schema: JsonObject) =>
    documentWith({
      webhooks: {
        [n]: {
          post: {
            requestBody: { content: { "application/json": { schema } } },
            responses: { 200: done },
          },
        },
      },
    });
  p(
    "webhook new member",
    wh("a", obj({ a: text })),
    wh("a", obj({ a: text, b: text })),
    "minor",
    "major",
  );
  p(
    "webhook required removed",
    wh("a", obj({ a: text }, { required: ["a"] })),
    wh("a", obj({ a: text })),
    "major",
    "patch",
  );
  p(
    "webhook enum value",
    wh("a", { enum: ["a"] }),
    wh("a", { enum: ["a", "b"] }),
    "major",
    "patch",
  );
}

{
  const { p } = familyOf("parameters, siblings");
  const qp = (ps: readonly JsonObject[]) => operationWith({ parameters: ps });
  p(
    "in query to header",
    qp([{ name: "a", in: "query", schema: text }]),
    qp([{ name: "a", in: "header", schema: text }]),
    "major",
    "major",
  );
  p(
    "optional to required with default",
    qp([{ name: "a", in: "query", schema: text }]),
    qp([{ name: "a", in: "query", required: true, schema: { ...text, default: "x" } }]),
    "major",
    "minor",
  );
  p(
    "deprecated param",
    qp([{ name: "a", in: "query", schema: text }]),
    qp([{ name: "a", in: "query", deprecated: true, schema: text }]),
    "minor",
    "patch",
  );
  p(
    "content to schema",
    qp([{ name: "a", in: "query", content: { "application/json": { schema: obj({ a: text }) } } }]),
    qp([{ name: "a", in: "query", schema: obj({ a: text }) }]),
    "major",
    "major",
  );
  p(
    "param ref",
    qp([{ name: "a", in: "query", schema: text }]),
    operationWith(
      { parameters: [{ $ref: "#/components/parameters/A" }] },
      { components: { parameters: { A: { name: "a", in: "query", schema: text } } } },
    ),
    "none",
    "none",
  );
  p(
    "case of query name",
    qp([{ name: "a", in: "query", schema: text }]),
    qp([{ name: "A", in: "query", schema: text }]),
    "major",
    "major",
  );
  p(
    "deepObject members",
    qp([{ name: "f", in: "query", style: "deepObject", schema: obj({ a: text }) }]),
    qp([{ name: "f", in: "query", style: "deepObject", schema: obj({ a: text, b: text }) }]),
    "minor",
    "major",
  );
  p(
    "form to spaceDelimited list",
    qp([{ name: "f", in: "query", explode: false, schema: { type: "array", items: text } }]),
    qp([
      {
        name: "f",
        in: "query",
        style: "spaceDelimited",
        explode: false,
        schema: { type: "array", items: text },
      },
    ]),
    "major",
    "major",
  );
  p(
    "q one value list limit",
    qp([{ name: "f", in: "query", schema: { type: "array", items: text, maxItems: 1 } }]),
    qp([{ name: "f", in: "query", schema: text }]),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("paths, siblings");
  const pa = (paths: JsonObject) => documentWith({ paths });
  p(
    "trailing slash",
    pa({ "/a": { get: { responses: {} } } }),
    pa({ "/a/": { get: { responses: {} } } }),
    "major",
    "major",
  );
  p(
    "param renamed",
    pa({
      "/a/{x}": {
        get: {
          parameters: [{ name: "x", in: "path", required: true, schema: text }],
          responses: {},
        },
      },
    }),
    pa({
      "/a/{y}": {
        get: {
          parameters: [{ name: "y", in: "path", required: true, schema: text }],
          responses: {},
        },
      },
    }),
    "patch",
    "patch",
  );
  p(
    "params swapped",
    pa({
      "/a/{x}/{y}": {
        get: {
          parameters: [
            { name: "x", in: "path", required: true, schema: text },
            { name: "y", in: "path", required: true, schema: int },
          ],
          responses: {},
        },
      },
    }),
    pa({
      "/a/{y}/{x}": {
        get: {
          parameters: [
            { name: "x", in: "path", required: true, schema: int },
            { name: "y", in: "path", required: true, schema: text },
          ],
          responses: {},
        },
      },
    }),
    "patch",
    "patch",
  );
  p(
    "head removed",
    pa({ "/a": { get: { responses: {} }, head: { responses: {} } } }),
    pa({ "/a": { get: { responses: {} } } }),
    "major",
    "minor",
  );
  p(
    "pathItem ref",
    pa({ "/a": { get: { responses: {} } } }),
    documentWith({
      paths: { "/a": { $ref: "#/components/pathItems/A" } },
      components: { pathItems: { A: { get: { responses: {} } } } },
    }),
    "none",
    "none",
  );
}

export const siblingsMoreMessages = pairs;
