import { isObject, listOf, objectsOf, type Json, type JsonObject } from "../../src/json.ts";
import {
  appended,
  drop,
  first,
  kind,
  members,
  nodeAt,
  object,
  objects,
  properties,
  put,
  rename,
  responses,
  successes,
} from "./breaking-kinds.ts";
import { at, edited, followed, real, type Change, type Place } from "./document.ts";
import type { Kind } from "./kind.ts";
import { below, every, named, operations, parameters, sites, success } from "./sites.ts";

const safe = (
  name: string,
  places: () => readonly Place[],
  change: Change,
  oasdiff?: string,
): Kind => kind("safe", name, places, change, oasdiff);

/** An edit that no client notices: nothing may be reported. */
const quiet = (name: string, places: () => readonly Place[], change: Change): Kind => ({
  ...kind("safe", name, places, change),
  quiet: true,
});

const reversed: Change = (node) =>
  Array.isArray(node)
    ? (node as readonly Json[]).toReversed()
    : Object.fromEntries(Object.entries(object(node)).toReversed());
const text: Change = (node) => ({ ...object(node), description: "Other words for the same." });
const schemas = (...targets: readonly Parameters<typeof sites>[0][]) =>
  targets.flatMap((target) => sites(target).map(({ place }) => place));
const all = (): readonly Place[] =>
  schemas("request member", "response member", "query parameter", "response header");
const where = (test: (schema: JsonObject) => boolean) => (): readonly Place[] =>
  all().filter((place) => test(nodeAt(place)));
const errors = (): readonly Place[] =>
  responses().filter((place) =>
    Object.keys(nodeAt(place)).some((status) => status.startsWith("4")),
  );
const jsonBodies = (): readonly Place[] =>
  below(named("requestBody"), named("content"), (node) =>
    Object.keys(node).filter((name) => name === "application/json"),
  );
const anyBody = { content: { "application/json": { schema: {} } } };
const get = { responses: { 200: { description: "Fine." } } };
const getItem: JsonObject = { get };

/** Edits of everything but single schemas that break no client. */
export const safeKinds: readonly Kind[] = [
  safe("add a path", () => [["paths"]], put({ "/brand-new": getItem }), "endpoint-added"),
  safe(
    "add an operation",
    () => operations.map((place) => place.slice(0, 2)),
    put({ trace: get }),
    "endpoint-added",
  ),
  ...(["query", "header", "cookie"] as const).map((place) =>
    safe(
      `add an optional ${place} parameter`,
      () => operations,
      appended({ name: "x_new", in: place, schema: { type: "string" } }),
      "new-optional-request-parameter",
    ),
  ),
  safe(
    "make a parameter optional",
    () => parameters("query").filter((place) => nodeAt(place)["required"] === true),
    drop("required"),
    "request-parameter-became-optional",
  ),
  safe(
    "deprecate a parameter",
    () => parameters("query"),
    put({ deprecated: true }),
    "request-parameter-deprecated",
  ),
  safe(
    "deprecate an operation with an end",
    () => operations.filter((place) => nodeAt(place)["deprecated"] !== true),
    put({ deprecated: true, "x-sunset": "2030-01-01" }),
    "endpoint-deprecated-with-sunset",
  ),
  safe(
    "reactivate an operation",
    () => operations.filter((place) => nodeAt(place)["deprecated"] === true),
    drop("deprecated"),
    "endpoint-reactivated",
  ),
  safe(
    "deprecate a member",
    () => [...members("request"), ...members("response")],
    put({ deprecated: true }),
    "response-property-deprecated",
  ),
  safe(
    "another operationId",
    () => operations,
    put({ operationId: "brandNew" }),
    "api-operation-id-removed",
  ),
  safe("another tag", () => operations, put({ tags: ["Brand new"] }), "api-tag-removed"),
  safe(
    "add an optional body",
    () => operations.filter((place) => !("requestBody" in nodeAt(place))),
    put({ requestBody: anyBody }),
    "request-body-added-optional",
  ),
  safe(
    "make a body optional",
    () => below(named("requestBody")).filter((place) => nodeAt(place)["required"] === true),
    drop("required"),
    "request-body-became-optional",
  ),
  safe(
    "add a media type to a request",
    () => below(named("requestBody"), named("content")),
    put({ "application/cbor": { schema: {} } }),
    "request-body-media-type-added",
  ),
  safe(
    "add a media type to an answer",
    () => below(named("responses"), success, named("content")),
    put({ "application/cbor": { schema: {} } }),
    "response-media-type-added",
  ),
  safe(
    "a request without a schema",
    () => jsonBodies().filter((place) => "schema" in nodeAt(place)),
    drop("schema"),
    "request-body-media-type-schema-removed",
  ),
  safe(
    "add an optional member to a request",
    () => objects("request"),
    (node) => ({
      ...object(node),
      properties: { ...object(object(node)["properties"]), brand_new: { type: "string" } },
    }),
    "new-optional-request-property",
  ),
  safe(
    "add an optional member to an answer",
    () => objects("response"),
    (node) => ({
      ...object(node),
      properties: { ...object(object(node)["properties"]), brand_new: { type: "string" } },
    }),
    "response-optional-property-added",
  ),
  safe(
    "add a required member to an answer",
    () => objects("response"),
    (node) => ({
      ...object(node),
      properties: { ...object(object(node)["properties"]), brand_new: { type: "string" } },
      required: [...listOf(object(node)["required"]), "brand_new"],
    }),
    "response-required-property-added",
  ),
  safe(
    "add a read-only required member to a request",
    () => objects("request"),
    (node) => ({
      ...object(node),
      properties: {
        ...object(object(node)["properties"]),
        brand_new: { type: "string", readOnly: true },
      },
      required: [...listOf(object(node)["required"]), "brand_new"],
    }),
  ),
  safe(
    "add a write-only member to an answer",
    () => objects("response"),
    (node) => ({
      ...object(node),
      properties: {
        ...object(object(node)["properties"]),
        brand_new: { type: "string", writeOnly: true },
      },
    }),
    "response-optional-write-only-property-added",
  ),
  safe(
    "allow undeclared members in an answer",
    () =>
      sites("response member")
        .filter(({ schema }) => schema["type"] === "object")
        .map(({ place }) => place),
    put({ additionalProperties: true }),
  ),
  safe(
    "add a default to a member of a request",
    () =>
      sites("request member")
        .filter(
          ({ schema, owner }) =>
            owner !== undefined && schema["type"] === "string" && !("default" in schema),
        )
        .map(({ place }) => place),
    put({ default: "brand-new" }),
    "request-property-default-value-added",
  ),
  safe(
    "another default in an answer",
    () => members("response"),
    put({ default: "brand-new" }),
    "response-property-default-value-changed",
  ),
  safe(
    "make a member of an answer read-only",
    () => members("response"),
    put({ readOnly: true }),
    "response-optional-property-became-read-only",
  ),
  safe(
    "make a member of a request write-only",
    () => members("request"),
    put({ writeOnly: true }),
    "request-optional-property-became-write-only",
  ),
  safe(
    "add a success",
    () => responses(),
    put({ "299": { description: "Brand new." } }),
    "response-success-status-added",
  ),
  safe(
    "add an error",
    () => responses(),
    put({ "418": { description: "Brand new." } }),
    "response-non-success-status-added",
  ),
  safe(
    "remove an error",
    errors,
    (node) => drop(Object.keys(object(node)).find((status) => status.startsWith("4")) ?? "")(node),
    "response-non-success-status-removed",
  ),
  safe(
    "add a header to an answer",
    () => successes(),
    (node) => ({
      ...object(node),
      headers: { ...object(object(node)["headers"]), "X-Brand-New": { schema: {} } },
    }),
    "response-header-added",
  ),
  safe(
    "a header is always there",
    () =>
      below(named("responses"), success, named("headers"), every).filter(
        (place) => nodeAt(place)["required"] !== true,
      ),
    put({ required: true }),
  ),
  safe("add a link", () => successes(), put({ links: { self: { operationId: "brandNew" } } })),
  safe(
    "add a callback",
    () => operations,
    put({ callbacks: { done: { "{$request.body#/url}": { post: get } } } }),
  ),
  safe("add a webhook", () => [[]], put({ webhooks: { done: { post: get } } }), "webhook-added"),
  safe(
    "need no scope",
    () => operations.filter((place) => listOf(nodeAt(place)["security"]).length > 0),
    put({ security: [{ oauth2: [] }] }),
    "api-security-scope-removed",
  ),
  safe(
    "need no credential",
    () => operations.filter((place) => listOf(nodeAt(place)["security"]).length > 0),
    put({ security: [] }),
    "api-security-removed",
  ),
  safe(
    "another way to authenticate",
    () => operations.filter((place) => listOf(nodeAt(place)["security"]).length > 0),
    (node) => ({
      ...object(node),
      security: [...listOf(object(node)["security"]), { another_key: [] }],
    }),
    "api-security-added",
  ),
  safe(
    "add a scope to OAuth",
    () => [["components", "securitySchemes", "oauth2", "flows", "clientCredentials", "scopes"]],
    put({ "brand-new": "Brand new." }),
    "api-security-component-oauth-scope-added",
  ),
  safe(
    "add a security scheme",
    () => [["components", "securitySchemes"]],
    put({ another_key: { type: "apiKey", in: "header", name: "X-Key" } }),
    "api-security-component-added",
  ),
  safe(
    "add a server",
    () => [["servers"]],
    (node) => [...listOf(node), { url: "https://elsewhere.example" }],
  ),

  quiet(
    "other words for an operation",
    () => operations,
    (node) => ({ ...object(text(node)), summary: "Other words." }),
  ),
  quiet("other words for a parameter", () => parameters("query"), text),
  quiet("other words for a schema", all, text),
  quiet("other words for a response", () => below(named("responses"), every), text),
  quiet("other words for a tag", () => [["tags", "0"]], text),
  quiet("another title", all, put({ title: "Brand new" })),
  quiet("another example of a schema", () => schemas("response member"), put({ examples: [] })),
  quiet("another extension", () => operations, put({ "x-brand-new": { a: 1 } })),
  quiet(
    "external documentation",
    () => operations,
    put({ externalDocs: { url: "https://example.com" } }),
  ),
  quiet("reorder paths", () => [["paths"]], reversed),
  quiet("reorder parameters", () => below(named("parameters")), reversed),
  quiet("reorder responses", () => responses(), reversed),
  quiet("reorder members", () => [...properties("request"), ...properties("response")], reversed),
  quiet(
    "reorder required members",
    where((schema) => listOf(schema["required"]).length > 1),
    (node) => ({ ...object(node), required: listOf(object(node)["required"]).toReversed() }),
  ),
  quiet(
    "reorder an enumeration",
    where((schema) => listOf(schema["enum"]).length > 1),
    (node) => ({ ...object(node), enum: listOf(object(node)["enum"]).toReversed() }),
  ),
  quiet("reorder keywords", all, reversed),
  quiet(
    "reorder schemes of security",
    () => operations.filter((place) => "security" in nodeAt(place)),
    (node) => ({ ...object(node), security: listOf(object(node)["security"]).toReversed() }),
  ),
  quiet(
    "reorder types",
    where((schema) => listOf(schema["type"]).length > 1),
    (node) => ({ ...object(node), type: listOf(object(node)["type"]).toReversed() }),
  ),
  quiet(
    "write a reference out",
    () => all().filter((place) => isObject(at(place)) && "$ref" in object(at(place))),
    (node) => node,
  ),
  quiet(
    "write a parameter out",
    () => parameters("query"),
    (node) => node,
  ),
  quiet(
    "write a response out",
    () => below(named("responses"), every),
    (node) => node,
  ),
  quiet("wrap in allOf", all, (node) => ({ allOf: [node ?? {}] })),
  quiet("wrap in anyOf", all, (node) => ({ anyOf: [node ?? {}] })),
  quiet("wrap in oneOf", all, (node) => ({ oneOf: [node ?? {}] })),
  quiet(
    "split in two by allOf",
    where(
      (schema) =>
        isObject(schema["properties"]) &&
        !("additionalProperties" in schema) &&
        !("unevaluatedProperties" in schema),
    ),
    (node) => ({
      allOf: [drop("required")(node) ?? {}, { required: object(node)["required"] ?? [] }],
    }),
  ),
  quiet("the same schema twice", all, (node) => ({ allOf: [node ?? {}, node ?? {}] })),
  quiet(
    "null by anyOf",
    where(
      (schema) =>
        listOf(schema["type"]).length === 2 &&
        listOf(schema["type"]).includes("null") &&
        !("enum" in schema),
    ),
    (node) => ({
      anyOf: [
        {
          ...object(node),
          type: listOf(object(node)["type"]).find((type) => type !== "null") ?? "string",
        },
        { type: "null" },
      ],
    }),
  ),
  quiet(
    "types by anyOf",
    where((schema) => listOf(schema["type"]).length > 1 && !("enum" in schema)),
    (node) => ({ anyOf: listOf(object(node)["type"]).map((type) => ({ ...object(node), type })) }),
  ),
  quiet(
    "const as enum",
    where((schema) => "const" in schema),
    (node) => ({ ...object(drop("const")(node)), enum: [object(node)["const"] ?? null] }),
  ),
  quiet(
    "enum as oneOf of const",
    where((schema) => listOf(schema["enum"]).length > 1),
    (node) => ({
      ...object(drop("enum")(node)),
      oneOf: listOf(object(node)["enum"]).map((value) => ({ const: value })),
    }),
  ),
  quiet(
    "enum twice",
    where((schema) => listOf(schema["enum"]).length > 1),
    (node) => ({
      ...object(node),
      enum: [...listOf(object(node)["enum"]), listOf(object(node)["enum"])[0] ?? null],
    }),
  ),
  quiet(
    "a type that enum implies",
    where((schema) => listOf(schema["enum"]).length > 1 && schema["type"] === "string"),
    drop("type"),
  ),
  quiet(
    "limits of integers, excluded",
    where((schema) => schema["type"] === "integer" && typeof schema["minimum"] === "number"),
    (node) => ({
      ...object(drop("minimum")(node)),
      exclusiveMinimum: Number(object(node)["minimum"]) - 1,
    }),
  ),
  quiet(
    "a type that a bound implies, by allOf",
    where((schema) => schema["type"] === "integer" && "maximum" in schema),
    (node) => ({ allOf: [drop("maximum")(node) ?? {}, { maximum: object(node)["maximum"] ?? 0 }] }),
  ),
  quiet(
    "a required member by dependency",
    where((schema) => listOf(schema["required"]).length > 1),
    (node) => ({
      ...object(node),
      dependentRequired: {
        [String(listOf(object(node)["required"])[0])]: [listOf(object(node)["required"])[1] ?? ""],
      },
    }),
  ),
  quiet(
    "spell out minLength 0",
    where(
      (schema) => schema["type"] === "string" && !("minLength" in schema) && !("enum" in schema),
    ),
    put({ minLength: 0 }),
  ),
  quiet(
    "spell out minItems 0",
    where((schema) => schema["type"] === "array" && !("minItems" in schema)),
    put({ minItems: 0 }),
  ),
  quiet(
    "spell out uniqueItems false",
    where((schema) => schema["type"] === "array" && !("uniqueItems" in schema)),
    put({ uniqueItems: false }),
  ),
  quiet(
    "spell out open objects",
    where(
      (schema) =>
        schema["type"] === "object" &&
        !("additionalProperties" in schema) &&
        !("unevaluatedProperties" in schema),
    ),
    put({ additionalProperties: true }),
  ),
  quiet(
    "spell out deprecated false",
    where((schema) => !("deprecated" in schema)),
    put({ deprecated: false }),
  ),
  quiet(
    "spell out the style",
    () => parameters("query").filter((place) => !("style" in nodeAt(place))),
    put({ style: "form" }),
  ),
  quiet(
    "spell out required false",
    () => parameters("query").filter((place) => !("required" in nodeAt(place))),
    put({ required: false }),
  ),
  quiet(
    "spell out a format of integers",
    where((schema) => schema["type"] === "integer" && !("format" in schema)),
    put({ format: "int64" }),
  ),
  quiet(
    "a charset in lower case",
    () => below(named("requestBody"), named("content")),
    rename(first, (name) => name.toUpperCase()),
  ),
  quiet(
    "a slash after the server",
    () => [["servers", "0"]],
    (node) => ({ ...object(node), url: `${String(object(node)["url"])}/` }),
  ),
  quiet(
    "another name of a header in case",
    () => below(named("responses"), success, named("headers")),
    rename(first, (name) => name.toLowerCase()),
  ),
  ...movedKinds(),
];

/** Edits that move something to another place of the document. */
function movedKinds(): readonly Kind[] {
  const component = (
    kinds: string,
    name: string,
    node: Json | undefined,
    root: JsonObject,
  ): JsonObject => {
    const { components } = root;
    const own = object(object(components)[kinds]);
    return {
      ...root,
      components: { ...object(components), [kinds]: { ...own, [name]: node ?? {} } },
    };
  };
  const moved = (name: string, places: () => readonly Place[], apply: Kind["apply"]): Kind => ({
    name,
    expected: "safe",
    quiet: true,
    places,
    apply,
  });
  return [
    moved(
      "move a parameter to its path",
      () => parameters("query"),
      (place) => {
        const [, path = "", method = ""] = place;
        const parameter = at(place);
        const index = Number(place.at(-1));
        const root = edited(["paths", path, method, "parameters"], (node) =>
          listOf(node).toSpliced(index, 1),
        );
        const others = objectsOf(object(object(real.root["paths"])[path])).filter(
          ([key]) => key !== method,
        );
        // Another operation of the path would also get the parameter.
        if (others.some(([key]) => key !== "parameters")) return real.root;
        return edited(
          ["paths", path],
          (node) => ({
            ...object(node),
            parameters: [...listOf(object(node)["parameters"]), parameter ?? {}],
          }),
          root,
        );
      },
    ),
    moved(
      "move a schema to the components",
      () => [...members("request"), ...members("response")],
      (place) => {
        const node = followed(at(place));
        return component(
          "schemas",
          "BrandNew",
          node,
          edited(place, () => ({ $ref: "#/components/schemas/BrandNew" })),
        );
      },
    ),
    moved(
      "move a response to the components",
      () => successes(),
      (place) => {
        const node = followed(at(place));
        return component(
          "responses",
          "BrandNew",
          node,
          edited(place, () => ({ $ref: "#/components/responses/BrandNew" })),
        );
      },
    ),
    moved(
      "add a component that nothing uses",
      () => [[]],
      () => component("schemas", "BrandNew", { type: "string" }, real.root),
    ),
    moved(
      "rename a scheme of security",
      () => operations.slice(0, 1),
      () =>
        JSON.parse(JSON.stringify(real.root).replaceAll('"oauth2":', '"renamed":')) as JsonObject,
    ),
    moved(
      "rename a component",
      () => objectsOf(object(real.root["components"])["schemas"]).map(([name]) => [name]),
      ([name = ""]) => {
        const from = `#/components/schemas/${name}"`;
        const root = JSON.parse(
          JSON.stringify(real.root).replaceAll(from, `#/components/schemas/${name}Renamed"`),
        ) as JsonObject;
        const own = object(object(root["components"])["schemas"]);
        return {
          ...root,
          components: {
            ...object(root["components"]),
            schemas: { ...own, [`${name}Renamed`]: own[name] ?? {} },
          },
        };
      },
    ),
  ];
}
