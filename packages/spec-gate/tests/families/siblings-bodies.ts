import type { JsonObject } from "../../src/json.ts";
import { operationWith } from "../../src/testing/documents.ts";
import { familyOf, pairs, done, object as obj, text } from "./pair.ts";

/** Siblings of the pairs in the other files: the same kinds of change at other keywords and places. */
const ref = (n: string) => ({ $ref: "#/components/schemas/" + n });

{
  const { p } = familyOf("callbacks, siblings");
  const cb = (name: string, e: string, op: JsonObject = {}) =>
    operationWith({
      callbacks: { [name]: { [e]: { post: { responses: { 200: done }, ...op } } } },
    });
  p(
    "callback key renamed",
    cb("a", "{$request.body#/u}"),
    cb("b", "{$request.body#/u}"),
    "none",
    "none",
  );
  p(
    "callback expression query",
    cb("a", "{$request.query.u}"),
    cb("a", "{$request.query.v}"),
    "major",
    "major",
  );
  p(
    "callback expression header",
    cb("a", "{$request.header.X-U}"),
    cb("a", "{$response.header.X-U}"),
    "major",
    "major",
  );
  p(
    "callback expression header case",
    cb("a", "{$request.header.X-U}"),
    cb("a", "{$request.header.x-u}"),
    "none",
    "none",
  );
  p(
    "callback literal",
    cb("a", "https://a.example/x"),
    cb("a", "https://b.example/x"),
    "major",
    "major",
  );
  p(
    "callback method",
    operationWith({ callbacks: { a: { "{$request.body#/u}": { post: { responses: {} } } } } }),
    operationWith({ callbacks: { a: { "{$request.body#/u}": { put: { responses: {} } } } } }),
    "major",
    "major",
  );
  p(
    "callback to component",
    cb("a", "{$request.body#/u}"),
    {
      ...operationWith(
        { callbacks: { a: { $ref: "#/components/callbacks/A" } } },
        {
          components: {
            callbacks: { A: { "{$request.body#/u}": { post: { responses: { 200: done } } } } },
          },
        },
      ),
    },
    "none",
    "none",
  );
  p("callback added", operationWith({}), cb("a", "{$request.body#/u}"), "minor", "major");
}

{
  const { p } = familyOf("XML, siblings");
  const xml = (schema: JsonObject, dir: string, comps: JsonObject = {}) => {
    const c = { content: { "application/xml": { schema } } };
    return operationWith(
      dir === "q" ? { requestBody: c } : { responses: { 200: { ...done, ...c } } },
      { components: { schemas: comps } },
    );
  };
  for (const d of ["q", "r"]) {
    p(
      "xml root name " + d,
      xml(ref("A"), d, { A: obj({ m: text }, { xml: { name: "a" } }) }),
      xml(ref("A"), d, { A: obj({ m: text }, { xml: { name: "b" } }) }),
      "major",
      "major",
    );
    p(
      "xml component renamed with name " + d,
      xml(ref("A"), d, { A: obj({ m: text }, { xml: { name: "a" } }) }),
      xml(ref("B"), d, { B: obj({ m: text }, { xml: { name: "a" } }) }),
      "none",
      "none",
    );
    p(
      "xml component renamed " + d,
      xml(ref("A"), d, { A: obj({ m: text }) }),
      xml(ref("B"), d, { B: obj({ m: text }) }),
      "major",
      "major",
    );
    p(
      "xml items name " + d,
      xml(obj({ l: { type: "array", items: { ...text, xml: { name: "i" } } } }), d),
      xml(obj({ l: { type: "array", items: { ...text, xml: { name: "j" } } } }), d),
      "major",
      "major",
    );
    p(
      "xml items default name " + d,
      xml(obj({ l: { type: "array", items: text } }), d),
      xml(obj({ l: { type: "array", items: { ...text, xml: { name: "l" } } } }), d),
      "none",
      "none",
    );
    p(
      "xml default ns " + d,
      xml(obj({ m: text }), d),
      xml(obj({ m: { ...text, xml: { namespace: "", prefix: "" } } }), d),
      "none",
      "none",
    );
  }
  p(
    "xml and json mixed",
    operationWith({
      responses: {
        200: {
          ...done,
          content: {
            "application/json": { schema: obj({ m: text }) },
            "application/xml": { schema: obj({ m: text }) },
          },
        },
      },
    }),
    operationWith({
      responses: {
        200: {
          ...done,
          content: {
            "application/json": { schema: obj({ m: text }) },
            "application/xml": { schema: obj({ m: { ...text, xml: { attribute: true } } }) },
          },
        },
      },
    }),
    "major",
    "major",
  );
  p(
    "vendor xml",
    operationWith({
      responses: {
        200: { ...done, content: { "application/vnd.a+xml": { schema: obj({ m: text }) } } },
      },
    }),
    operationWith({
      responses: {
        200: {
          ...done,
          content: {
            "application/vnd.a+xml": { schema: obj({ m: { ...text, xml: { name: "n" } } }) },
          },
        },
      },
    }),
    "major",
    "major",
  );
}

{
  const { p } = familyOf("media types, siblings");
  const ans = (t: string) =>
    operationWith({
      responses: { 200: { ...done, content: { [t]: { schema: obj({ a: text }) } } } },
    });
  const snt = (t: string) =>
    operationWith({ requestBody: { content: { [t]: { schema: obj({ a: text }) } } } });
  p(
    "version param response",
    ans("application/vnd.a+json;version=1"),
    ans("application/vnd.a+json;version=2"),
    "major",
    "major",
  );
  p(
    "profile",
    ans('application/json;profile="a"'),
    ans("application/json; profile=b"),
    "major",
    "major",
  );
  p(
    "quoted same",
    ans('application/json;profile="a"'),
    ans("application/json; profile=a"),
    "none",
    "none",
  );
  p(
    "charset latin",
    ans("text/plain;charset=utf-8"),
    ans("text/plain;charset=iso-8859-1"),
    "major",
    "major",
  );
  for (const parameter of ["v=1", "version=2", 'profile="a"', "odata.metadata=full"]) {
    const [plain, withIt] = ["application/json", `application/json;${parameter}`];
    p(`${parameter} added, response`, ans(plain), ans(withIt), "patch", "major");
    p(`${parameter} added, request`, snt(plain), snt(withIt), "major", "minor");
  }
  for (const [type, parameter] of [
    ["application/json", "charset=utf-8"],
    ["application/json", "charset=utf-16"],
    ["text/plain", 'charset="UTF-8"'],
    ["multipart/form-data", "boundary=x"],
  ] as const) {
    p(`${type};${parameter} added`, snt(type), snt(`${type};${parameter}`), "patch", "patch");
    p(`${type};${parameter} added`, ans(type), ans(`${type};${parameter}`), "patch", "patch");
  }
  for (const type of ["merge-patch", "json-patch", "problem", "hal", "vnd.acme.v2"]) {
    const derived = `application/${type}+json`;
    p(`${type} to JSON, request`, snt(derived), snt("application/json"), "major", "major");
    p(`${type} to JSON, response`, ans(derived), ans("application/json"), "major", "major");
    p(`${type} to any, request`, snt(derived), snt("application/*"), "minor", "major");
    p(`${type} to any, response`, ans(derived), ans("*/*"), "major", "patch");
  }
  p("SVG to XML, request", snt("image/svg+xml"), snt("application/xml"), "major", "major");
  p(
    "vendor v1 v2",
    ans("application/vnd.a.v1+json"),
    ans("application/vnd.a.v2+json"),
    "major",
    "major",
  );
  p("json to problem", ans("application/json"), ans("application/problem+json"), "major", "major");
  p("json to range req", snt("application/json"), snt("application/*"), "minor", "major");
  p(
    "json to hal added",
    ans("application/json"),
    operationWith({
      responses: {
        200: {
          ...done,
          content: {
            "application/json": { schema: obj({ a: text }) },
            "application/hal+json": { schema: obj({ a: text }) },
          },
        },
      },
    }),
    "minor",
    "major",
  );
}

{
  const { p } = familyOf("binary data, siblings");
  const bytes = { type: "string", format: "binary" };
  const uploaded = (media: JsonObject, type: string, version: string) =>
    operationWith({ requestBody: { content: { [type]: media } } }, {}, version);
  const downloaded = (media: JsonObject, type: string, version: string) =>
    operationWith({ responses: { 200: { ...done, content: { [type]: media } } } }, {}, version);
  for (const type of ["application/octet-stream", "application/pdf", "image/png"]) {
    for (const [name, at] of [
      ["request", uploaded],
      ["response", downloaded],
    ] as const) {
      const before = at({ schema: bytes }, type, "3.0.3");
      p(`${type} without a schema, ${name}`, before, at({}, type, "3.1.0"), "none", "none");
    }
  }
}

export const siblingsBodies = pairs;
