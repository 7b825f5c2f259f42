import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, operationWith, requestOf, responseOf } from "../../src/testing/documents.ts";

/** Two documents, and the findings in both directions. */
export type Case = readonly [
  name: string,
  before: JsonObject,
  after: JsonObject,
  forward: readonly string[],
  backward: readonly string[],
];

export const text = { type: "string" };
export const number = { type: "number" };
export const closed = { type: "object", additionalProperties: false };
export const query = (schema: Json, more: JsonObject = {}) =>
  operationWith({ parameters: [{ name: "q", in: "query", schema, ...more }] });
export const response = (more: JsonObject) =>
  operationWith({ responses: { 200: { description: "Fine.", ...more } } });
export const links = (all: JsonObject) => response({ links: all });
export const servers = (...all: readonly JsonObject[]) => documentWith({ servers: all });
export const variable = (more: JsonObject) =>
  servers({ url: "https://{region}.example", variables: { region: { default: "eu", ...more } } });
export const callback = (operation: JsonObject) =>
  operationWith({ callbacks: { done: { "{$request.body#/url}": operation } } });
export const post = { responses: { 200: { description: "Fine." } } };
export const form = (encoding: JsonObject, properties: JsonObject = { file: text }) =>
  operationWith({
    requestBody: {
      content: { "multipart/form-data": { schema: { type: "object", properties }, encoding } },
    },
  });
export const filter = (fields: JsonObject, use = "filter") =>
  query(text, { "x-fql": { use, of: "Thing", fields } });
export const field = { type: "string", operators: ["=", "!"], sortable: true };
export const paged = (by?: string) => operationWith(by === undefined ? {} : { "x-paging": by });
export const sent = (schema: Json, more: JsonObject) =>
  operationWith({
    requestBody: { required: true, content: { "application/json": { schema, ...more } } },
  });
export const answered = (schema: Json, more: JsonObject) =>
  response({ content: { "application/json": { schema, ...more } } });
export const deprecated = (more: JsonObject = {}) =>
  responseOf({
    type: "object",
    properties: { name: { ...text, deprecated: true, ...more } },
  });
export const securedBy = (securitySchemes: JsonObject, ...security: readonly JsonObject[]) =>
  operationWith({ security }, { components: { securitySchemes } });
export const secured = (...security: readonly JsonObject[]) =>
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
export const bearer = { type: "http", scheme: "bearer" };

/** A change of a schema, tested in both directions: narrowing breaks requests but not responses. */
export function schemas(
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
export function exchanged(name: string, one: Json, other: Json, rule: string): readonly Case[] {
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

export const list = { type: "array", items: text };
export const map = { type: "object", additionalProperties: text };
export const petKinds = (mapping: JsonObject) => ({
  oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
  discriminator: { propertyName: "kind", mapping },
});
export const pets = {
  components: {
    schemas: {
      Cat: { type: "object", properties: { kind: text, lives: number } },
      Dog: { type: "object", properties: { kind: text, name: text } },
    },
  },
};
export const catsAndDogs = { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" };
export const dogsAndCats = { cat: "#/components/schemas/Dog", dog: "#/components/schemas/Cat" };

export const swapped = [
  "discriminator-value-changed response major",
  "discriminator-value-changed response major",
  "property-added response minor",
  "property-added response minor",
  "property-removed response major",
  "property-removed response major",
];
