import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, jsonBody, operationWith } from "../../src/testing/documents.ts";

export type DocumentEdit = readonly [base: JsonObject, revision: JsonObject];

const text = { type: "string" };
const parameter = (more: JsonObject = {}, schema: Json = text): JsonObject => ({
  name: "q",
  in: "query",
  schema,
  ...more,
});
const withParameters = (...parameters: readonly JsonObject[]) => operationWith({ parameters });
const header = (more: JsonObject = {}): JsonObject => ({ schema: text, ...more });
const responseWith = (response: JsonObject) =>
  operationWith({ responses: { 200: { description: "Fine.", ...response } } });
const withHeaders = (headers: JsonObject) => responseWith({ headers });
const statuses = (...all: readonly string[]) =>
  operationWith({
    responses: Object.fromEntries(all.map((status) => [status, { description: "" }])),
  });
const media = (direction: "request" | "response", content: JsonObject) =>
  direction === "request"
    ? operationWith({ requestBody: { required: true, content } })
    : responseWith({ content });
const json = { schema: { type: "object" } };
const oauth = (flow: JsonObject = {}): JsonObject => ({
  type: "oauth2",
  flows: {
    clientCredentials: {
      tokenUrl: "https://a.example/token",
      scopes: { read: "", write: "" },
      ...flow,
    },
  },
});
const secured = (schemes: JsonObject, more: JsonObject = {}, global: JsonObject = {}) =>
  operationWith(more, { components: { securitySchemes: schemes }, ...global });
const scopes = (...all: readonly string[]) => ({ security: [{ o: all }] });
const get = { responses: { 200: { description: "Fine." } } };
const paths = (operation?: JsonObject) =>
  documentWith({ paths: operation === undefined ? {} : { "/things": { get: operation } } });
const ending = (date: string, more: JsonObject = {}) => ({
  ...get,
  deprecated: true,
  "x-sunset": date,
  ...more,
});
const stable = (level: string) => paths({ ...get, "x-stability-level": level });
const versioned = (version: string, more: JsonObject = {}) => ({
  ...documentWith(more),
  info: { title: "Test", version },
});
const oldParameter = (more: JsonObject) => withParameters(parameter({ deprecated: true, ...more }));
const noParameter = withParameters();
const removal = [paths(get), paths()] as const;
const late = [paths(ending("2020-01-01")), paths()] as const;
const early = [paths(ending("2030-01-01")), paths()] as const;

/** Edits of a document, by oasdiff's names. */
export const documentEdits: Readonly<Record<string, DocumentEdit>> = {
  "api-schema-removed": [
    documentWith({ components: { schemas: { Thing: text } } }),
    documentWith({ components: { schemas: {} } }),
  ],
  "webhook-added": [documentWith({}), documentWith({ webhooks: { done: { post: get } } })],
  "webhook-removed": [documentWith({ webhooks: { done: { post: get } } }), documentWith({})],

  "optional-response-header-removed": [withHeaders({ "X-A": header() }), withHeaders({})],
  "required-response-header-removed": [
    withHeaders({ "X-A": header({ required: true }) }),
    withHeaders({}),
  ],
  "response-header-added": [withHeaders({}), withHeaders({ "X-A": header() })],
  "response-header-became-optional": [
    withHeaders({ "X-A": header({ required: true }) }),
    withHeaders({ "X-A": header() }),
  ],

  "api-major-version-not-bumped": [
    versioned("1.0.0", { paths: { "/a": { get } } }),
    versioned("1.1.0"),
  ],
  "api-version-not-bumped": [versioned("1.0.0"), versioned("1.0.0", { paths: { "/a": { get } } })],
  "api-version-decreased": [versioned("1.1.0"), versioned("1.0.0")],

  "new-optional-request-default-parameter-to-existing-path": [
    noParameter,
    withParameters(parameter({}, { type: "string", default: "a" })),
  ],
  "new-optional-request-parameter": [noParameter, withParameters(parameter())],
  "new-request-path-parameter": [
    documentWith({ paths: { "/things/{id}": { get } } }),
    documentWith({
      paths: {
        "/things/{id}": {
          get: { ...get, parameters: [parameter({ name: "id", in: "path", required: true })] },
        },
      },
    }),
  ],
  "new-required-request-default-parameter-to-existing-path": [
    noParameter,
    withParameters(parameter({ required: true }, { type: "string", default: "a" })),
  ],
  "new-required-request-header-property": [
    withParameters(parameter({ name: "X-A", in: "header" }, { type: "object" })),
    withParameters(
      parameter(
        { name: "X-A", in: "header" },
        { type: "object", required: ["a"], properties: { a: text } },
      ),
    ),
  ],
  "new-required-request-parameter": [noParameter, withParameters(parameter({ required: true }))],
  "request-parameter-removed": [withParameters(parameter()), noParameter],
  "request-parameter-removed-before-sunset": [
    oldParameter({ "x-sunset": "2030-01-01" }),
    noParameter,
  ],
  "request-parameter-removed-with-deprecation": [
    oldParameter({ "x-sunset": "2020-01-01" }),
    noParameter,
  ],
  "request-parameter-deprecated": [
    withParameters(parameter()),
    oldParameter({ "x-sunset": "2030-01-01" }),
  ],
  "request-parameter-deprecated-sunset-missing": [withParameters(parameter()), oldParameter({})],
  "request-parameter-reactivated": [oldParameter({}), withParameters(parameter())],
  "request-parameter-sunset-date-changed-too-small": [
    oldParameter({ "x-sunset": "2030-01-01" }),
    oldParameter({ "x-sunset": "2027-01-01" }),
  ],
  "request-parameter-sunset-date-too-small": [
    withParameters(parameter()),
    oldParameter({ "x-sunset": "2020-01-01" }),
  ],
  "request-parameter-sunset-deleted": [
    oldParameter({ "x-sunset": "2030-01-01" }),
    oldParameter({}),
  ],
  "request-parameter-sunset-parse": [
    withParameters(parameter()),
    oldParameter({ "x-sunset": "soon" }),
  ],
  "request-header-property-became-required": [
    withParameters(
      parameter({ name: "X-A", in: "header" }, { type: "object", properties: { a: text } }),
    ),
    withParameters(
      parameter(
        { name: "X-A", in: "header" },
        { type: "object", required: ["a"], properties: { a: text } },
      ),
    ),
  ],
  "request-parameter-became-optional": [
    withParameters(parameter({ required: true })),
    withParameters(parameter()),
  ],
  "request-parameter-became-required": [
    withParameters(parameter()),
    withParameters(parameter({ required: true })),
  ],
  "request-header-property-became-enum": [
    withParameters(
      parameter({ name: "X-A", in: "header" }, { type: "object", properties: { a: text } }),
    ),
    withParameters(
      parameter(
        { name: "X-A", in: "header" },
        { type: "object", properties: { a: { enum: ["b"] } } },
      ),
    ),
  ],

  "api-operation-id-added": [paths(get), paths({ ...get, operationId: "a" })],
  "api-operation-id-removed": [paths({ ...get, operationId: "a" }), paths(get)],
  "api-path-removed-before-sunset": early,
  "api-path-removed-with-deprecation": late,
  "api-path-removed-without-deprecation": removal,
  "api-removed-before-sunset": early,
  "api-removed-with-deprecation": late,
  "api-removed-without-deprecation": removal,
  "endpoint-added": [paths(), paths(get)],
  "api-deprecated-sunset-missing": [paths(get), paths({ ...get, deprecated: true })],
  "api-deprecated-sunset-parse": [paths(get), paths(ending("soon"))],
  "api-invalid-stability-level": [paths(get), stable("solid")],
  "api-path-sunset-parse": [paths(get), paths(ending("soon"))],
  "api-stability-decreased": [stable("stable"), stable("beta")],
  "api-stability-increased": [stable("beta"), stable("stable")],
  "api-sunset-date-changed-too-small": [paths(ending("2030-01-01")), paths(ending("2027-01-01"))],
  "api-sunset-date-too-small": [paths(get), paths(ending("2020-01-01"))],
  "endpoint-deprecated": [paths(get), paths({ ...get, deprecated: true })],
  "endpoint-deprecated-with-sunset": [paths(get), paths(ending("2030-01-01"))],
  "endpoint-reactivated": [paths({ ...get, deprecated: true }), paths(get)],
  "sunset-deleted": [paths(ending("2030-01-01")), paths({ ...get, deprecated: true })],

  "request-body-added-optional": [operationWith({}), operationWith({ requestBody: jsonBody({}) })],
  "request-body-added-required": [
    operationWith({}),
    operationWith({ requestBody: { required: true, ...jsonBody({}) } }),
  ],
  "request-body-removed": [operationWith({ requestBody: jsonBody({}) }), operationWith({})],
  "request-body-became-optional": [
    operationWith({ requestBody: { required: true, ...jsonBody({}) } }),
    operationWith({ requestBody: jsonBody({}) }),
  ],
  "request-body-became-required": [
    operationWith({ requestBody: jsonBody({}) }),
    operationWith({ requestBody: { required: true, ...jsonBody({}) } }),
  ],
  "request-body-media-type-added": [
    media("request", { "application/json": json }),
    media("request", { "application/json": json, "text/csv": {} }),
  ],
  "request-body-media-type-removed": [
    media("request", { "application/json": json, "text/csv": {} }),
    media("request", { "application/json": json }),
  ],
  "response-media-type-added": [
    media("response", { "application/json": json }),
    media("response", { "application/json": json, "text/csv": {} }),
  ],
  "response-media-type-removed": [
    media("response", { "application/json": json, "text/csv": {} }),
    media("response", { "application/json": json }),
  ],
  "response-media-type-name-changed": [
    media("response", { "application/json;version=1": json }),
    media("response", { "application/json;version=2": json }),
  ],
  "response-media-type-name-generalized": [
    media("response", { "application/problem+json": json }),
    media("response", { "application/json": json }),
  ],
  "response-media-type-name-specialized": [
    media("response", { "application/json": json }),
    media("response", { "application/problem+json": json }),
  ],
  ...Object.fromEntries(
    (["request", "response"] as const).flatMap((direction) => {
      const [without, withIt] = [
        media(direction, { "application/json": {} }),
        media(direction, { "application/json": json }),
      ];
      return [
        [`${direction}-body-media-type-schema-added`, [without, withIt]],
        [`${direction}-body-media-type-schema-removed`, [withIt, without]],
      ] as const;
    }),
  ),
  "response-non-success-status-added": [statuses("200"), statuses("200", "404")],
  "response-non-success-status-removed": [statuses("200", "404"), statuses("200")],
  "response-success-status-added": [statuses("200"), statuses("200", "202")],
  "response-success-status-removed": [statuses("200", "202"), statuses("200")],

  "api-global-security-added": [
    secured({ o: oauth() }, {}, { security: [{ o: ["read"] }, {}] }),
    secured({ o: oauth() }, {}, { security: [{ o: ["read"] }] }),
  ],
  "api-global-security-removed": [
    secured({ o: oauth() }, {}, { security: [{ o: ["read"] }] }),
    secured({ o: oauth() }, {}, { security: [] }),
  ],
  "api-global-security-scope-added": [
    secured({ o: oauth() }, {}, scopes("read")),
    secured({ o: oauth() }, {}, scopes("read", "write")),
  ],
  "api-global-security-scope-removed": [
    secured({ o: oauth() }, {}, scopes("read", "write")),
    secured({ o: oauth() }, {}, scopes("read")),
  ],
  "api-security-added": [secured({ o: oauth() }), secured({ o: oauth() }, scopes("read"))],
  "api-security-removed": [secured({ o: oauth() }, scopes("read")), secured({ o: oauth() })],
  "api-security-scope-added": [
    secured({ o: oauth() }, scopes("read")),
    secured({ o: oauth() }, scopes("read", "write")),
  ],
  "api-security-scope-removed": [
    secured({ o: oauth() }, scopes("read", "write")),
    secured({ o: oauth() }, scopes("read")),
  ],
  "api-security-component-added": [secured({}), secured({ o: oauth() })],
  "api-security-component-removed": [secured({ o: oauth() }), secured({})],
  "api-security-component-oauth-scope-added": [
    secured({ o: oauth({ scopes: { read: "" } }) }),
    secured({ o: oauth() }),
  ],
  "api-security-component-oauth-scope-removed": [
    secured({ o: oauth() }),
    secured({ o: oauth({ scopes: { read: "" } }) }),
  ],
  "api-security-component-oauth-token-url-changed": [
    secured({ o: oauth() }),
    secured({ o: oauth({ tokenUrl: "https://b.example/token" }) }),
  ],
  "api-security-component-oauth-url-changed": [
    secured({ o: oauth({ authorizationUrl: "https://a.example/a" }) }),
    secured({ o: oauth({ authorizationUrl: "https://b.example/a" }) }),
  ],
  "api-security-component-type-changed": [
    secured({ o: oauth() }),
    secured({ o: { type: "http", scheme: "bearer" } }),
  ],
  "api-tag-added": [paths(get), paths({ ...get, tags: ["a"] })],
  "api-tag-removed": [paths({ ...get, tags: ["a"] }), paths(get)],
};
