import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, operationWith, requestOf, responseOf } from "../../src/testing/documents.ts";
import { done, object, pairs, pair, same, text } from "./pair.ts";

// Discriminators: the values are sent, and without a mapping they are the names of components.
const kinds = (names: readonly string[], mapping?: JsonObject) => ({
  schema: {
    oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: { propertyName: "kind", ...(mapping === undefined ? {} : { mapping }) },
  },
  components: {
    schemas: Object.fromEntries(
      names.map((name, index) => [
        name,
        object({ kind: text, [`only${index}`]: text }, { required: ["kind"] }),
      ]),
    ),
  },
});
const mapped = (names: readonly string[], ...values: readonly string[]) =>
  kinds(
    names,
    Object.fromEntries(
      values.map((value, index) => [value, `#/components/schemas/${names[index]}`]),
    ),
  );
for (const [name, before, after] of [
  [
    "renamed in the mapping",
    mapped(["Cat", "Dog"], "cat", "dog"),
    mapped(["Cat", "Dog"], "kitty", "dog"),
  ],
  ["a renamed component without a mapping", kinds(["Cat", "Dog"]), kinds(["Kitty", "Dog"])],
] as const) {
  const answer = ({ schema, components }: typeof before) => responseOf(schema, { components });
  const sent = ({ schema, components }: typeof before) => requestOf(schema, { components });
  pair(
    "discriminator values",
    `${name}, response`,
    answer(before),
    answer(after),
    "major",
    "major",
  );
  pair("discriminator values", `${name}, request`, sent(before), sent(after), "major", "major");
}
{
  const [before, after] = [
    mapped(["Cat", "Dog"], "cat", "dog"),
    mapped(["Kitty", "Hound"], "cat", "dog"),
  ];
  const answer = ({ schema, components }: typeof before) => responseOf(schema, { components });
  pair(
    "discriminator values",
    "renamed components, the same values",
    answer(before),
    answer(after),
    "none",
    "none",
  );
}

// Callbacks: the expression says where the request goes.
const calledAt = (expression: string) =>
  operationWith({ callbacks: { done: { [expression]: { post: { responses: { 200: done } } } } } });
pair(
  "callback expressions",
  "another member of the body",
  calledAt("{$request.body#/url}"),
  calledAt("{$request.body#/callback}"),
  "major",
  "major",
);
pair(
  "callback expressions",
  "another path behind it",
  calledAt("{$request.body#/url}/a"),
  calledAt("{$request.body#/url}/b"),
  "major",
  "major",
);
pair(
  "callback expressions",
  "from the body to the query",
  calledAt("{$request.body#/url}"),
  calledAt("{$request.query.url}"),
  "major",
  "major",
);

// XML: names, attributes, wrapping and namespaces are what is written.
const xmlBody = (schema: Json, direction: "request" | "response") => {
  const content = { content: { "application/xml": { schema } } };
  return operationWith(
    direction === "request"
      ? { requestBody: content }
      : { responses: { 200: { ...done, ...content } } },
  );
};
for (const direction of ["request", "response"] as const) {
  for (const [name, one, two] of [
    ["another name", { xml: { name: "a" } }, { xml: { name: "b" } }],
    ["an attribute", {}, { xml: { attribute: true } }],
    ["a namespace", {}, { xml: { namespace: "https://a.example" } }],
    ["a prefix", { xml: { prefix: "a" } }, { xml: { prefix: "b" } }],
    [
      "wrapping",
      { type: "array", items: text },
      { type: "array", items: text, xml: { wrapped: true } },
    ],
  ] as const) {
    pair(
      "xml",
      `${name}, ${direction}`,
      xmlBody(object({ m: { ...text, ...one } }), direction),
      xmlBody(object({ m: { ...text, ...two } }), direction),
      "major",
      "major",
    );
  }
  pair(
    "xml",
    `spelled-out defaults, ${direction}`,
    xmlBody(object({ m: text }), direction),
    xmlBody(
      object({ m: { ...text, xml: { name: "m", attribute: false, wrapped: false } } }),
      direction,
    ),
    "none",
    "none",
  );
}
pair(
  "xml",
  "in a body of JSON",
  responseOf(object({ m: { ...text, xml: { name: "a" } } })),
  responseOf(object({ m: { ...text, xml: { name: "b" } } })),
  "none",
  "none",
);

// Media types.
const answerOf = (type: string) =>
  operationWith({
    responses: { 200: { ...done, content: { [type]: { schema: object({ a: text }) } } } },
  });
const sentAs = (type: string) =>
  operationWith({ requestBody: { content: { [type]: { schema: object({ a: text }) } } } });
for (const [name, at] of [
  ["response", answerOf],
  ["request", sentAs],
] as const) {
  pair(
    "media types",
    `another version, ${name}`,
    at("application/json;version=1"),
    at("application/json;version=2"),
    "major",
    "major",
  );
  pair(
    "media types",
    `case and blanks, ${name}`,
    at("application/json; Charset=utf-8"),
    at("Application/JSON;charset=utf-8"),
    "none",
    "none",
  );
}
pair(
  "media types",
  "JSON to a vendor's JSON",
  answerOf("application/json"),
  answerOf("application/vnd.acme+json"),
  "major",
  "major",
);

// Sources of generated clients.
const withId = (operationId: string) => operationWith({ operationId });
pair("source", "another operationId", withId("a"), withId("b"), "patch", "patch");

// Encodings.
const form = (encoding: JsonObject) =>
  operationWith({
    requestBody: {
      content: {
        "application/x-www-form-urlencoded": {
          schema: object({ a: text, b: { type: "array", items: text } }),
          encoding,
        },
      },
    },
  });
pair(
  "encoding",
  "the order of members",
  form({ a: { style: "form" }, b: { explode: true } }),
  form({ b: { explode: true }, a: { style: "form" } }),
  "none",
  "none",
);
pair(
  "encoding",
  "the order of media types",
  form({ a: { contentType: "text/plain, text/html" } }),
  form({ a: { contentType: "text/html,text/plain" } }),
  "none",
  "none",
);
pair(
  "encoding",
  "spelled-out defaults",
  form({}),
  form({ b: { style: "form", explode: true, allowReserved: false } }),
  "none",
  "none",
);
pair(
  "encoding",
  "the default type of a text",
  form({}),
  form({ a: { contentType: "text/plain" } }),
  "none",
  "none",
);
pair(
  "encoding",
  "another style",
  form({}),
  form({ b: { style: "spaceDelimited", explode: false } }),
  "major",
  "major",
);

// Binary data, by the guide from 3.0 to 3.1.
same(
  "binary data",
  "format byte",
  { type: "string", format: "byte" },
  { type: "string", contentEncoding: "base64" },
);
same(
  "binary data",
  "format byte of 3.0",
  { type: "string", format: "byte" },
  { type: "string", contentEncoding: "base64" },
  ["3.0.3", "3.1.0"],
);
const uploaded = (schema: Json, openapi: string, type = "application/octet-stream") =>
  operationWith({ requestBody: { content: { [type]: { schema } } } }, {}, openapi);
pair(
  "binary data",
  "a body of bytes",
  uploaded({ type: "string", format: "binary" }, "3.0.3"),
  uploaded({}, "3.1.0"),
  "none",
  "none",
);
pair(
  "binary data",
  "a body of bytes with its type",
  uploaded({ type: "string", format: "binary" }, "3.0.3", "image/png"),
  uploaded({ type: "string", contentMediaType: "image/png" }, "3.1.0", "image/png"),
  "none",
  "none",
);
const part = (schema: JsonObject, openapi: string) =>
  uploaded(object({ file: schema }), openapi, "multipart/form-data");
pair(
  "binary data",
  "a part of a form",
  part({ type: "string", format: "binary" }, "3.0.3"),
  part({ type: "string", contentMediaType: "application/octet-stream" }, "3.1.0"),
  "none",
  "none",
);
pair(
  "binary data",
  "a part of a form without a type",
  part({ type: "string", format: "binary" }, "3.0.3"),
  part({}, "3.1.0"),
  "none",
  "none",
);

// Security.
const flows = (more: JsonObject) =>
  documentWith({
    components: {
      securitySchemes: {
        oauth: {
          type: "oauth2",
          flows: {
            authorizationCode: {
              authorizationUrl: "https://a.example/a",
              tokenUrl: "https://a.example/t",
              scopes: {},
              ...more,
            },
          },
        },
      },
    },
  });
pair(
  "security",
  "refreshUrl added",
  flows({}),
  flows({ refreshUrl: "https://a.example/r" }),
  "minor",
  "major",
);

export const documentPairs = pairs;
