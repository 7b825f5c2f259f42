import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, operationWith } from "../../src/testing/documents.ts";
import { done, integer, object, pair, pairs, text } from "./pair.ts";

const newest = "3.2.0";
const streamed = (media: JsonObject, type = "text/event-stream", openapi = newest) =>
  operationWith({ responses: { 200: { ...done, content: { [type]: media } } } }, {}, openapi);
const document = (parts: JsonObject) => documentWith(parts, newest);

// The query string as a whole.
const queried = (...parameters: readonly JsonObject[]) => operationWith({ parameters }, {}, newest);
const whole = (schema: Json, more: JsonObject = {}) => ({
  name: "all",
  in: "querystring",
  content: { "application/x-www-form-urlencoded": { schema } },
  ...more,
});
const members = object({ a: text, b: integer });
pair(
  "query strings",
  "its name is not sent",
  queried(whole(members)),
  queried(whole(members, { name: "every" })),
  "none",
  "none",
);
pair(
  "query strings",
  "it is required",
  queried(whole(members)),
  queried(whole(members, { required: true })),
  "major",
  "minor",
);
pair(
  "query strings",
  "it is new and required",
  queried(),
  queried(whole(members, { required: true })),
  "major",
  "major",
);
pair(
  "query strings",
  "a member was added",
  queried(whole(members)),
  queried(whole(object({ a: text, b: integer, c: text }))),
  "minor",
  "major",
);
pair(
  "query strings",
  "another media type",
  queried(whole(members)),
  queried({ name: "all", in: "querystring", content: { "application/json": { schema: members } } }),
  "major",
  "major",
);
pair(
  "query strings",
  "parameters of the same wire form",
  queried(
    { name: "a", in: "query", schema: text },
    { name: "b", in: "query", required: true, schema: integer },
  ),
  queried(whole(object({ a: text, b: integer }, { required: ["b"] }), { required: true })),
  "none",
  "none",
);

// Cookies have a style of their own.
pair(
  "query strings",
  "the style of cookies",
  queried({ name: "c", in: "cookie", schema: text }),
  queried({ name: "c", in: "cookie", style: "cookie", schema: text }),
  "none",
  "none",
);
pair(
  "query strings",
  "the style of cookies with several values",
  queried({ name: "c", in: "cookie", schema: { type: "array", items: text } }),
  queried({ name: "c", in: "cookie", style: "cookie", schema: { type: "array", items: text } }),
  "major",
  "major",
);

// Media types as components.
const shared = (schema: Json) =>
  operationWith(
    {
      responses: {
        200: {
          ...done,
          content: { "application/json": { $ref: "#/components/mediaTypes/Thing" } },
        },
      },
    },
    { components: { mediaTypes: { Thing: { schema } } } },
    newest,
  );
pair(
  "media type components",
  "a component",
  shared(members),
  streamed({ schema: members }, "application/json"),
  "none",
  "none",
);
pair("media type components", "a change in it", shared(text), shared(integer), "major", "major");

// References by the URI of the document.
const named = (reference: string, more: JsonObject = {}) =>
  operationWith(
    {
      responses: {
        200: { ...done, content: { "application/json": { schema: { $ref: reference } } } },
      },
    },
    { components: { schemas: { Thing: members } }, ...more },
    newest,
  );
for (const self of ["https://api.example/openapi", "/openapi", "urn:example:things"]) {
  pair(
    "own URIs",
    self,
    named("#/components/schemas/Thing"),
    named(`${self}#/components/schemas/Thing`, { $self: self }),
    "none",
    "none",
  );
}

// Values that a discriminator does not have.
const otherwise = (name?: string) => {
  const schema = {
    oneOf: ["Cat", "Dog"].map((each) => ({ $ref: `#/components/schemas/${each}` })),
    discriminator: {
      propertyName: "kind",
      ...(name === undefined ? {} : { defaultMapping: name }),
    },
  };
  return {
    schema,
    components: {
      schemas: {
        Cat: object({ kind: text, a: text }, { required: ["a"] }),
        Dog: object({ kind: text, b: text }, { required: ["b"] }),
      },
    },
  };
};
const sentOne = ({ schema, components }: ReturnType<typeof otherwise>) =>
  operationWith(
    { requestBody: { content: { "application/json": { schema } } } },
    { components },
    newest,
  );
const answeredOne = ({ schema, components }: ReturnType<typeof otherwise>) =>
  operationWith(
    { responses: { 200: { ...done, content: { "application/json": { schema } } } } },
    { components },
    newest,
  );
pair(
  "default mapping",
  "added, request",
  sentOne(otherwise()),
  sentOne(otherwise("Cat")),
  "minor",
  "major",
);
pair(
  "default mapping",
  "added, response",
  answeredOne(otherwise()),
  answeredOne(otherwise("Cat")),
  "minor",
  "patch",
);
for (const [name, at] of [
  ["request", sentOne],
  ["response", answeredOne],
] as const) {
  pair(
    "default mapping",
    `another one, ${name}`,
    at(otherwise("Cat")),
    at(otherwise("Dog")),
    "major",
    "major",
  );
  pair(
    "default mapping",
    `a name and a reference, ${name}`,
    at(otherwise("Cat")),
    at(otherwise("#/components/schemas/Cat")),
    "none",
    "none",
  );
}

// Security.
const scheme = (more: JsonObject) =>
  document({ components: { securitySchemes: { key: { type: "oauth2", flows: {}, ...more } } } });
const device = (more: JsonObject = {}) =>
  scheme({
    flows: {
      deviceAuthorization: {
        deviceAuthorizationUrl: "https://a.example/d",
        tokenUrl: "https://a.example/t",
        scopes: {},
        ...more,
      },
    },
  });
pair("security of 3.2", "deprecated", scheme({}), scheme({ deprecated: true }), "minor", "patch");
pair(
  "security of 3.2",
  "metadata added",
  scheme({}),
  scheme({ oauth2MetadataUrl: "https://a.example/m" }),
  "minor",
  "major",
);
pair(
  "security of 3.2",
  "another URL for devices",
  device(),
  device({ deviceAuthorizationUrl: "https://a.example/e" }),
  "major",
  "major",
);
const needs = (name: string) =>
  operationWith(
    { security: [{ [name]: [] }] },
    { components: { securitySchemes: { key: { type: "http", scheme: "basic" } } } },
    newest,
  );
pair(
  "security of 3.2",
  "a scheme by its place",
  needs("key"),
  needs("#/components/securitySchemes/key"),
  "none",
  "none",
);

// XML: the two flags became a type.
const xmlBody = (schema: Json, openapi = newest) =>
  streamed({ schema }, "application/xml", openapi);
const inXml = (xml: JsonObject, schema: JsonObject = text) => object({ m: { ...schema, xml } });
const list = { type: "array", items: text };
pair(
  "node types",
  "attribute",
  xmlBody(inXml({ attribute: true }), "3.1.0"),
  xmlBody(inXml({ nodeType: "attribute" })),
  "none",
  "none",
);
pair(
  "node types",
  "wrapped",
  xmlBody(inXml({ wrapped: true }, list), "3.1.0"),
  xmlBody(inXml({ nodeType: "element" }, list)),
  "none",
  "none",
);
pair(
  "node types",
  "not wrapped",
  xmlBody(inXml({}, list)),
  xmlBody(inXml({ nodeType: "none" }, list)),
  "none",
  "none",
);
pair(
  "node types",
  "an element",
  xmlBody(inXml({})),
  xmlBody(inXml({ nodeType: "element" })),
  "none",
  "none",
);
pair(
  "node types",
  "text",
  xmlBody(inXml({})),
  xmlBody(inXml({ nodeType: "text" })),
  "major",
  "major",
);
pair(
  "node types",
  "text in another notation",
  xmlBody(inXml({ nodeType: "text" })),
  xmlBody(inXml({ nodeType: "cdata" })),
  "none",
  "none",
);

// What only documents.
const documented = (parts: JsonObject, more: JsonObject = {}) =>
  document({
    paths: {
      "/things": { get: { tags: ["a"], responses: { 200: { description: "Fine.", ...more } } } },
    },
    ...parts,
  });
for (const [name, parts, more] of [
  [
    "a tree of tags",
    { tags: [{ name: "a" }, { name: "b", parent: "a", kind: "nav", summary: "B" }] },
  ],
  ["the name of a server", { servers: [{ url: "/", name: "main" }] }],
  ["its own URI", { $self: "https://a.example/openapi" }],
  ["the dialect", { jsonSchemaDialect: "https://spec.openapis.org/oas/3.2/dialect/2025-09-17" }],
  ["the summary of a response", {}, { summary: "Fine" }],
  [
    "an example",
    {},
    {
      content: {
        "application/json": { schema: {}, examples: { a: { dataValue: 1, serializedValue: "1" } } },
      },
    },
  ],
] as const) {
  const before = name === "an example" ? { content: { "application/json": { schema: {} } } } : {};
  pair(
    "documentation of 3.2",
    name,
    documented({}, before),
    documented(parts, more ?? {}),
    "none",
    "none",
  );
}

export const newPartPairs = pairs;
