import type { Json, JsonObject } from "../src/json.ts";
import {
  documentWith,
  jsonBody,
  operationWith,
  requestOf,
  responseOf,
} from "../src/testing/documents.ts";

/** Two documents, and the findings in both directions. */
type Case = readonly [
  name: string,
  before: JsonObject,
  after: JsonObject,
  forward: readonly string[],
  backward: readonly string[],
];

const text = { type: "string" };
const number = { type: "number" };
const closed = { type: "object", additionalProperties: false };
const query = (schema: Json, more: JsonObject = {}) =>
  operationWith({ parameters: [{ name: "q", in: "query", schema, ...more }] });
const response = (more: JsonObject) =>
  operationWith({ responses: { 200: { description: "Fine.", ...more } } });
const links = (all: JsonObject) => response({ links: all });
const servers = (...all: readonly JsonObject[]) => documentWith({ servers: all });
const variable = (more: JsonObject) =>
  servers({ url: "https://{region}.example", variables: { region: { default: "eu", ...more } } });
const callback = (operation: JsonObject) =>
  operationWith({ callbacks: { done: { "{$request.body#/url}": operation } } });
const post = { responses: { 200: { description: "Fine." } } };
const form = (encoding: JsonObject, properties: JsonObject = { file: text }) =>
  operationWith({
    requestBody: {
      content: { "multipart/form-data": { schema: { type: "object", properties }, encoding } },
    },
  });
const filter = (fields: JsonObject, use = "filter") =>
  query(text, { "x-fql": { use, of: "Thing", fields } });
const field = { type: "string", operators: ["=", "!"], sortable: true };
const paged = (by?: string) => operationWith(by === undefined ? {} : { "x-paging": by });
const sent = (schema: Json, more: JsonObject) =>
  operationWith({
    requestBody: { required: true, content: { "application/json": { schema, ...more } } },
  });
const answered = (schema: Json, more: JsonObject) =>
  response({ content: { "application/json": { schema, ...more } } });
const deprecated = (more: JsonObject = {}) =>
  responseOf({
    type: "object",
    properties: { name: { ...text, deprecated: true, ...more } },
  });
const securedBy = (securitySchemes: JsonObject, ...security: readonly JsonObject[]) =>
  operationWith({ security }, { components: { securitySchemes } });
const secured = (...security: readonly JsonObject[]) =>
  securedBy(
    {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      app: { type: "apiKey", in: "header", name: "X-App" },
      oauth: { type: "oauth2", flows: {} },
      user: bearer,
      admin: bearer,
    },
    ...security,
  );
const bearer = { type: "http", scheme: "bearer" };

/** A change of a schema, tested in both directions: narrowing breaks requests but not responses. */
function schemas(
  name: string,
  wide: Json,
  narrow: Json,
  narrowing: string,
  widening: string,
): readonly Case[] {
  return [
    [
      `${name} of a request`,
      requestOf(wide),
      requestOf(narrow),
      [`${narrowing} request major`],
      [`${widening} request minor`],
    ],
    [
      `${name} of an answer`,
      responseOf(wide),
      responseOf(narrow),
      [`${narrowing} response patch`],
      [`${widening} response major`],
    ],
  ];
}

/** A change that breaks both directions, back and forth. */
function exchanged(name: string, one: Json, other: Json, rule: string): readonly Case[] {
  return [
    [
      `${name} of a request`,
      requestOf(one),
      requestOf(other),
      [`${rule} request major`],
      [`${rule} request major`],
    ],
    [
      `${name} of an answer`,
      responseOf(one),
      responseOf(other),
      [`${rule} response major`],
      [`${rule} response major`],
    ],
  ];
}

const list = { type: "array", items: text };
const map = { type: "object", additionalProperties: text };
const petKinds = (mapping: JsonObject) => ({
  oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
  discriminator: { propertyName: "kind", mapping },
});
const pets = {
  components: {
    schemas: {
      Cat: { type: "object", properties: { kind: text, lives: number } },
      Dog: { type: "object", properties: { kind: text, name: text } },
    },
  },
};
const catsAndDogs = { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" };
const dogsAndCats = { cat: "#/components/schemas/Dog", dog: "#/components/schemas/Cat" };

const swapped = [
  "discriminator-value-changed response major",
  "discriminator-value-changed response major",
  "property-added response minor",
  "property-added response minor",
  "property-removed response major",
  "property-removed response major",
];

export const cases: readonly Case[] = [
  ...exchanged(
    "values and a pattern that cannot be evaluated",
    { type: "string", enum: ["a"] },
    { type: "string", pattern: "^(?=a)" },
    "could-not-be-judged",
  ),
  ...schemas("maximum", number, { ...number, maximum: 5 }, "maximum-added", "maximum-removed"),
  ...schemas("minimum", number, { ...number, minimum: 5 }, "minimum-added", "minimum-removed"),
  ...schemas(
    "multipleOf",
    { ...number, multipleOf: 0.1 },
    { ...number, multipleOf: 0.5 },
    "multiple-of-narrowed",
    "multiple-of-widened",
  ),
  ...exchanged(
    "multipleOf",
    { ...number, multipleOf: 2 },
    { ...number, multipleOf: 3 },
    "multiple-of-changed",
  ),
  ...schemas("format", text, { ...text, format: "uuid" }, "format-added", "format-removed"),
  ...schemas(
    "narrower format",
    { ...text, format: "iri" },
    { ...text, format: "uri" },
    "format-narrowed",
    "format-widened",
  ),
  ...exchanged(
    "format",
    { ...text, format: "uuid" },
    { ...text, format: "date" },
    "format-changed",
  ),
  ...schemas(
    "pattern",
    { ...text, pattern: "^[a-f]+$" },
    { ...text, pattern: "^[a-c]+$" },
    "pattern-narrowed",
    "pattern-widened",
  ),
  ...schemas("length", list, { ...list, maxItems: 3 }, "max-items-added", "max-items-removed"),
  ...schemas(
    "uniqueness",
    list,
    { ...list, uniqueItems: true },
    "unique-items-added",
    "unique-items-removed",
  ),
  ...exchanged(
    "contents",
    { ...list, contains: { const: "a" } },
    { ...list, contains: { const: "b" } },
    "contains-changed",
  ),
  ...schemas(
    "number of members",
    map,
    { ...map, maxProperties: 3 },
    "max-properties-added",
    "max-properties-removed",
  ),
  ...schemas(
    "larger number of members",
    { ...map, maxProperties: 3 },
    { ...map, maxProperties: 2 },
    "max-properties-lowered",
    "max-properties-raised",
  ),
  ...schemas(
    "smaller number of members",
    { ...map, minProperties: 1 },
    { ...map, minProperties: 2 },
    "min-properties-raised",
    "min-properties-lowered",
  ),
  ...exchanged(
    "condition",
    { ...text, not: { const: "a" } },
    { ...text, not: { const: "b" } },
    "condition-changed",
  ),
  ...exchanged("values", { enum: ["a", "bc"] }, { ...text, maxLength: 1 }, "values-changed"),
  [
    "values of an extensible enumeration",
    responseOf({ ...text, "x-extensible-enum": ["a"] }),
    responseOf({ ...text, "x-extensible-enum": ["a", "b"] }),
    ["extensible-enum-value-added response minor"],
    ["extensible-enum-value-removed response patch"],
  ],
  [
    "a discriminator's values",
    responseOf(petKinds(catsAndDogs), pets),
    responseOf(petKinds(dogsAndCats), pets),
    swapped,
    swapped,
  ],
  [
    "the name of a member in XML",
    response({ content: { "text/xml": { schema: { ...list, xml: { name: "a" } } } } }),
    response({ content: { "text/xml": { schema: { ...list, xml: { name: "b" } } } } }),
    ["xml-changed response major"],
    ["xml-changed response major"],
  ],
  ...schemas(
    "alternatives that overlap",
    {
      anyOf: [
        { ...text, maxLength: 5 },
        { ...text, minLength: 5 },
      ],
    },
    {
      oneOf: [
        { ...text, maxLength: 5 },
        { ...text, minLength: 5 },
      ],
    },
    "alternatives-overlap",
    "alternatives-no-longer-overlap",
  ),
  ...schemas(
    "a schema that depends on a member",
    { type: "object", properties: { a: text } },
    { type: "object", properties: { a: text }, dependentSchemas: { a: { minProperties: 2 } } },
    "dependent-schema-added",
    "dependent-schema-removed",
  ),
  [
    "a value of a discriminator",
    requestOf(petKinds(catsAndDogs), pets),
    requestOf(petKinds({ ...catsAndDogs, puma: "#/components/schemas/Cat" }), pets),
    ["discriminator-value-added request minor"],
    ["discriminator-value-removed request major"],
  ],

  [
    "an empty value",
    query(text, { allowEmptyValue: true }),
    query(text),
    ["empty-value-forbidden request major"],
    ["empty-value-allowed request minor"],
  ],
  [
    "how a list is written",
    query(list),
    query(list, { explode: false }),
    ["parameter-serialization-changed request major"],
    ["parameter-serialization-changed request major"],
  ],
  ["how a single value is written", query(text), query(text, { explode: false }), [], []],
  [
    "a value that may be repeated",
    query({ enum: ["a", "b"], default: "a" }),
    query({ type: "array", items: { enum: ["a", "b", "c"] }, default: ["a"] }),
    ["type-widened request minor"],
    ["type-narrowed request major"],
  ],
  [
    "a value that may be repeated, but not every one",
    query({ enum: ["a", "b"] }),
    query({ type: "array", items: { enum: ["a"] } }),
    ["type-changed request major"],
    ["type-changed request major"],
  ],
  [
    "a value that may be a list in one text",
    query(text, { explode: false }),
    query(list, { explode: false }),
    ["type-changed request major"],
    ["type-changed request major"],
  ],
  [
    "reserved characters",
    query(text, { allowReserved: true }),
    query(text),
    ["parameter-serialization-changed request major"],
    [],
  ],
  [
    "a required parameter",
    operationWith({}),
    query(text, { required: true }),
    ["required-parameter-added request major"],
    ["parameter-removed request major"],
  ],
  [
    "whether a parameter is required",
    query(text),
    query(text, { required: true }),
    ["parameter-became-required request major"],
    ["parameter-became-optional request minor"],
  ],
  [
    "a maximum that excludes its value",
    query({ ...number, maximum: 10 }),
    query({ ...number, exclusiveMaximum: 10 }),
    ["maximum-lowered request major"],
    ["maximum-raised request minor"],
  ],
  [
    "a minimum that excludes its value",
    query({ ...number, minimum: 10 }),
    query({ ...number, exclusiveMinimum: 10 }),
    ["minimum-raised request major"],
    ["minimum-lowered request minor"],
  ],
  [
    "a parameter that has an announced end and is not deprecated",
    query(text, { "x-sunset": "2020-01-01" }),
    operationWith({}),
    ["parameter-removed request major"],
    ["parameter-added request minor"],
  ],
  [
    "the name of a path parameter",
    documentWith({ paths: { "/{a}": { get: post } } }),
    documentWith({
      paths: {
        "/{b}": { get: { ...post, parameters: [{ name: "b", in: "path", required: true }] } },
      },
    }),
    [],
    [],
  ],

  [
    "a header",
    response({ headers: { "X-A": { schema: text } } }),
    response({ headers: { "x-a": { required: true, schema: text } } }),
    ["response-header-became-required response patch"],
    ["response-header-became-optional response major"],
  ],
  [
    "the range of a status",
    operationWith({ responses: { 200: { description: "Fine." } } }),
    operationWith({ responses: { "2XX": { description: "Fine." } } }),
    ["response-status-widened response minor"],
    ["response-status-narrowed response patch"],
  ],
  [
    "the range of a status of a callback",
    callback({ post }),
    callback({ post: { responses: { "2XX": { description: "Fine." } } } }),
    ["response-status-widened request minor"],
    ["response-status-narrowed request major"],
  ],
  [
    "an optional header of a part",
    form({ file: { contentType: "text/csv" } }),
    form({ file: { contentType: "text/csv", headers: { "X-Name": { schema: text } } } }),
    ["part-header-added request minor"],
    ["part-header-removed request major"],
  ],
  [
    "the need of a header of a part",
    form({ file: { headers: { "X-Name": { schema: text } } } }),
    form({ file: { headers: { "X-Name": { schema: text, required: true } } } }),
    ["part-header-became-required request major"],
    ["part-header-became-optional request minor"],
  ],
  [
    "a link",
    links({}),
    links({ self: { operationId: "getThing" } }),
    ["link-added response patch"],
    ["link-removed response patch"],
  ],
  [
    "a link's target",
    links({ self: { operationId: "getThing", parameters: { id: "$response.body#/id" } } }),
    links({ self: { operationId: "getThing", parameters: { id: "$response.body#/name" } } }),
    ["link-changed response patch"],
    ["link-changed response patch"],
  ],
  [
    "a link's texts",
    links({ self: { operationId: "getThing" } }),
    links({ self: { operationId: "getThing", description: "The thing." } }),
    [],
    [],
  ],

  [
    "a callback",
    operationWith({}),
    callback({ post }),
    ["callback-added response minor"],
    ["callback-removed response major"],
  ],
  [
    "what a callback sends",
    callback({ post: { ...post, requestBody: jsonBody({ type: "object" }) } }),
    callback({
      post: { ...post, requestBody: jsonBody({ type: "object", properties: { a: text } }) },
    }),
    ["property-added response minor"],
    ["property-removed response major"],
  ],
  [
    "what a callback may answer",
    callback({ post }),
    callback({
      post: { responses: { 200: { description: "Fine." }, 204: { description: "Fine." } } },
    }),
    ["success-status-added request minor"],
    ["success-status-removed request major"],
  ],
  [
    "what a webhook sends",
    documentWith({ webhooks: { done: { post: { ...post, requestBody: jsonBody(number) } } } }),
    documentWith({
      webhooks: { done: { post: { ...post, requestBody: jsonBody({ ...number, maximum: 5 }) } } },
    }),
    ["maximum-added response patch"],
    ["maximum-removed response major"],
  ],

  [
    "how a part of a form is written",
    form({ file: { contentType: "image/png" } }),
    form({ file: { contentType: "image/jpeg" } }),
    ["encoding-changed request major"],
    ["encoding-changed request major"],
  ],
  [
    "a range of media types in a request",
    operationWith({ requestBody: { content: { "application/*": {} } } }),
    operationWith({ requestBody: { content: { "application/json": {} } } }),
    ["media-type-specialized request major"],
    ["media-type-generalized request minor"],
  ],
  [
    "the character set of a media type",
    response({ content: { "application/json": {} } }),
    response({ content: { "application/json; charset=utf-8": {} } }),
    ["media-type-name-changed response patch"],
    ["media-type-name-changed response patch"],
  ],
  ["an encoding that says the default", form({}), form({ file: { explode: true } }), [], []],
  [
    "a new part of a form, with its encoding",
    form({}),
    form({ icon: { contentType: "image/png" } }, { file: text, icon: text }),
    ["property-added request minor"],
    ["property-removed request major"],
  ],

  [
    "servers",
    servers({ url: "https://a.example" }),
    servers({ url: "https://a.example/" }, { url: "https://b.example" }),
    ["server-added request minor"],
    ["server-removed request major"],
  ],
  [
    "the server",
    servers({ url: "https://a.example/v1" }),
    servers({ url: "https://a.example/v2" }),
    ["server-changed request major"],
    ["server-changed request major"],
  ],
  [
    "a server's variable",
    variable({ default: "eu" }),
    variable({ default: "us" }),
    ["server-variable-changed request major"],
    ["server-variable-changed request major"],
  ],
  [
    "a value of a server's variable",
    variable({ enum: ["eu"] }),
    variable({ enum: ["eu", "us"] }),
    [],
    ["server-variable-changed request major"],
  ],
  [
    "a limit of a server's variable",
    variable({}),
    variable({ enum: ["eu"] }),
    ["server-variable-changed request major"],
    [],
  ],

  [
    "another required key",
    secured({ key: [] }),
    secured({ key: [], app: [] }),
    ["security-tightened request major"],
    ["security-loosened request minor"],
  ],
  [
    "either of two keys that become both",
    secured({ key: [] }, { app: [] }),
    secured({ key: [], app: [] }),
    ["security-tightened request major", "security-tightened request major"],
    ["security-loosened request minor", "security-loosened request minor"],
  ],
  [
    "another way to authenticate",
    secured({ key: [], app: [] }),
    secured({ oauth: ["read"] }, { app: [], key: [] }),
    ["security-loosened request minor"],
    ["security-tightened request major"],
  ],
  [
    "no authentication",
    secured({ key: [] }),
    secured({ key: [] }, {}),
    ["security-loosened request minor"],
    ["security-tightened request major"],
  ],
  [
    "scopes of which either suffices",
    secured({ oauth: ["read"] }),
    secured({ oauth: ["read"] }, { oauth: ["write"] }),
    ["scope-removed request minor"],
    ["scope-added request major"],
  ],
  [
    "scopes of which both are needed",
    secured({ oauth: ["read"] }),
    secured({ oauth: ["write", "read"] }),
    ["scope-added request major"],
    ["scope-removed request minor"],
  ],
  [
    "the other one of two schemes with the same definition",
    secured({ user: [] }),
    secured({ admin: [] }),
    ["security-loosened request minor", "security-tightened request major"],
    ["security-loosened request minor", "security-tightened request major"],
  ],
  [
    "both of two schemes with the same definition",
    secured({ user: [] }),
    secured({ user: [], admin: [] }),
    ["security-tightened request major"],
    ["security-loosened request minor"],
  ],
  [
    "a scheme that is left for one with the same definition",
    securedBy({ user: bearer, admin: bearer }, { user: [] }),
    securedBy({ admin: bearer }, { admin: [] }),
    [
      "security-loosened request minor",
      "security-scheme-removed request patch",
      "security-tightened request major",
    ],
    [
      "security-loosened request minor",
      "security-scheme-added request minor",
      "security-tightened request major",
    ],
  ],
  [
    "the name of a scheme",
    securedBy({ user: bearer, admin: bearer }, { user: [] }),
    securedBy({ member: { ...bearer, description: "A user." }, admin: bearer }, { member: [] }),
    ["security-scheme-renamed request none"],
    ["security-scheme-renamed request none"],
  ],
  [
    "the names of two schemes with the same definition, which may have changed places",
    securedBy({ user: bearer, admin: bearer }, { user: [] }),
    securedBy({ one: bearer, two: bearer }, { one: [] }),
    [
      "security-loosened request minor",
      "security-scheme-added request minor",
      "security-scheme-added request minor",
      "security-scheme-removed request patch",
      "security-scheme-removed request patch",
      "security-tightened request major",
    ],
    [
      "security-loosened request minor",
      "security-scheme-added request minor",
      "security-scheme-added request minor",
      "security-scheme-removed request patch",
      "security-scheme-removed request patch",
      "security-tightened request major",
    ],
  ],
  [
    "whether a security scheme is deprecated",
    securedBy({ key: { type: "http", scheme: "basic" } }, { key: [] }),
    securedBy({ key: { type: "http", scheme: "basic", deprecated: true } }, { key: [] }),
    ["security-scheme-deprecated-without-date request minor"],
    ["security-scheme-reactivated request patch"],
  ],
  [
    "whether a security scheme is deprecated, with a date",
    securedBy({ key: { type: "http", scheme: "basic" } }, { key: [] }),
    securedBy(
      { key: { type: "http", scheme: "basic", deprecated: true, "x-sunset": "2030-06-01" } },
      { key: [] },
    ),
    ["security-scheme-deprecated request minor"],
    ["security-scheme-reactivated request patch"],
  ],
  [
    "the order of alternatives",
    secured({ key: [] }, { app: [] }),
    secured({ app: [] }, { key: [] }),
    [],
    [],
  ],

  [
    "an example of a request that is refused after it",
    sent({ type: "integer" }, { examples: { large: { value: 9 }, small: { value: 1 } } }),
    sent({ type: "integer", maximum: 5 }, {}),
    ["maximum-added request major"],
    ["maximum-removed request minor"],
  ],
  [
    "an example of an answer that was not possible before",
    answered({ type: "integer", maximum: 5 }, { example: 4 }),
    answered({ type: "integer" }, { example: 9 }),
    ["maximum-removed response major"],
    ["maximum-added response patch"],
  ],
  [
    "a member that an example shows, after its announced end",
    sent(
      {
        ...closed,
        properties: { old: { ...text, deprecated: true, "x-sunset": "2020-01-01" } },
      },
      { example: { old: "x" } },
    ),
    sent({ ...closed, properties: {} }, {}),
    ["removed-after-sunset request minor"],
    ["property-added request minor"],
  ],
  [
    "an example that its own document refuses",
    sent({ type: "integer" }, { example: "nine" }),
    sent({ type: "integer", maximum: 5 }, {}),
    ["maximum-added request major"],
    ["maximum-removed request minor"],
  ],

  [
    "the end of a member",
    deprecated({ "x-sunset": "2030-06-01" }),
    deprecated({ "x-sunset": "2030-01-01" }),
    ["sunset-brought-forward response major"],
    [],
  ],
  [
    "whether the end of a member is announced",
    deprecated({ "x-sunset": "2030-06-01" }),
    deprecated(),
    ["sunset-removed response major"],
    [],
  ],

  [
    "a filter",
    query(text),
    filter({ name: field }),
    ["filter-added request minor"],
    ["filter-removed request major"],
  ],
  [
    "the use of a filter",
    filter({ name: field }),
    filter({ name: field }, "sort"),
    ["filter-changed request major"],
    ["filter-changed request major"],
  ],
  [
    "a field of a filter",
    filter({ name: field }),
    filter({ name: field, size: field }),
    ["filter-field-added request minor"],
    ["filter-field-removed request major"],
  ],
  [
    "the type of a field",
    filter({ name: field }),
    filter({ name: { ...field, type: "integer" } }),
    ["filter-field-changed request major"],
    ["filter-field-changed request major"],
  ],
  [
    "an operator of a field",
    filter({ name: { ...field, operators: ["="] } }),
    filter({ name: field }),
    ["filter-operator-added request minor"],
    ["filter-operator-removed request major"],
  ],
  [
    "whether a field sorts",
    filter({ name: { ...field, sortable: false } }),
    filter({ name: field }),
    ["filter-sort-added request minor"],
    ["filter-sort-removed request major"],
  ],
  [
    "pages",
    paged(),
    paged("offset"),
    ["paging-added request minor"],
    ["paging-changed request major"],
  ],
  [
    "the kind of pages",
    paged("offset"),
    paged("cursor"),
    ["paging-changed request major"],
    ["paging-changed request major"],
  ],
];
