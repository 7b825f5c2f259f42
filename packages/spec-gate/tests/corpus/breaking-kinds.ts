import { isObject, listOf, objectsOf, type Json, type JsonObject } from "../../src/json.ts";
import { at, edited, followed, type Change, type Place } from "./document.ts";
import type { Kind } from "./kind.ts";
import { below, every, named, operations, parameters, sites, success } from "./sites.ts";

/** A kind that changes the node at each place. */
export const kind = (
  expected: Kind["expected"],
  name: string,
  places: () => readonly Place[],
  change: Change,
  oasdiff?: string,
): Kind => ({
  name,
  expected,
  places,
  apply: (place) => edited(place, change),
  ...(oasdiff === undefined ? {} : { oasdiff }),
});

export const object = (node: Json | undefined): JsonObject => (isObject(node) ? node : {});
export const drop =
  (...keys: readonly string[]): Change =>
  (node) =>
    Object.fromEntries(Object.entries(object(node)).filter(([key]) => !keys.includes(key)));
export const put =
  (more: JsonObject): Change =>
  (node) => ({ ...object(node), ...more });
export const rename =
  (from: (node: JsonObject) => string, to: (name: string) => string): Change =>
  (node) =>
    Object.fromEntries(
      Object.entries(object(node)).map(([key, value]) => [
        key === from(object(node)) ? to(key) : key,
        value,
      ]),
    );
export const nodeAt = (place: Place): JsonObject => object(followed(at(place)));
export const first = (node: JsonObject): string => Object.keys(node)[0] ?? "";
const gone: Change = () => undefined;

export const responses = (): readonly Place[] => below(named("responses"));
export const successes = (): readonly Place[] => below(named("responses"), success);
export const lists = (place: string): readonly Place[] =>
  parameters(place).filter((each) => object(followed(nodeAt(each)["schema"]))["type"] === "array");
export const appended =
  (item: JsonObject): Change =>
  (node) => ({ ...object(node), parameters: [...listOf(object(node)["parameters"]), item] });

/** Objects in messages, with members that are used there. */
export const objects = (direction: "request" | "response"): readonly Place[] =>
  sites(`${direction} member`)
    .filter(({ schema }) => {
      const hidden = direction === "request" ? "readOnly" : "writeOnly";
      const [member] = objectsOf(schema["properties"]);
      return (
        schema["type"] === "object" &&
        member !== undefined &&
        object(followed(member[1]))[hidden] !== true
      );
    })
    .map(({ place }) => place);

export const properties = (direction: "request" | "response"): readonly Place[] =>
  objects(direction).map((place) => [...place, "properties"]);
export const members = (direction: "request" | "response"): readonly Place[] =>
  properties(direction).map((place) => [...place, first(nodeAt(place))]);

const filters = (): readonly Place[] =>
  parameters("query")
    .filter((place) => isObject(object(nodeAt(place)["x-fql"])["fields"]))
    .map((place) => [...place, "x-fql", "fields"]);
const fields = (test: (field: JsonObject) => boolean): readonly Place[] =>
  filters().flatMap((place) =>
    objectsOf(nodeAt(place))
      .filter(([, field]) => test(field))
      .map(([name]) => [...place, name]),
  );

const flow: Place = ["components", "securitySchemes", "oauth2", "flows", "clientCredentials"];
const other = (type: Json | undefined): string => (type === "boolean" ? "array" : "boolean");
const secured = (): readonly Place[] =>
  operations.filter((place) =>
    listOf(nodeAt(place)["security"]).some(
      (each) => listOf(Object.values(object(each))[0]).length > 0,
    ),
  );

const breaking = (
  name: string,
  places: () => readonly Place[],
  change: Change,
  oasdiff?: string,
): Kind => kind("breaking", name, places, change, oasdiff);

/** Edits of everything but single schemas that break clients. */
export const breakingKinds: readonly Kind[] = [
  breaking("remove an operation", () => operations, gone, "api-removed-without-deprecation"),
  breaking(
    "remove a path",
    () => operations.map((place) => place.slice(0, 2)),
    gone,
    "api-path-removed-without-deprecation",
  ),
  breaking(
    "rename a path",
    () => [["paths"]],
    rename(
      (paths) => Object.keys(paths)[7] ?? "",
      (path) => `${path}/renamed`,
    ),
    "api-path-removed-without-deprecation",
  ),
  breaking(
    "move an operation to another method",
    () => operations.map((place) => place.slice(0, 2)),
    rename(
      (item) => Object.keys(item).find((key) => key !== "parameters") ?? "",
      () => "trace",
    ),
    "api-removed-without-deprecation",
  ),
  ...(["query", "header"] as const).flatMap((place) => [
    breaking(
      `remove a ${place} parameter`,
      () => parameters(place),
      gone,
      "request-parameter-removed",
    ),
    breaking(
      `rename a ${place} parameter`,
      () => parameters(place),
      (node) => ({ ...object(node), name: `${String(object(node)["name"])}_2` }),
      "request-parameter-removed",
    ),
    breaking(
      `add a required ${place} parameter`,
      () => operations,
      appended({ name: "x_new", in: place, required: true, schema: { type: "string" } }),
      "new-required-request-parameter",
    ),
    breaking(
      `require an optional ${place} parameter`,
      () => parameters(place).filter((each) => nodeAt(each)["required"] !== true),
      put({ required: true }),
      "request-parameter-became-required",
    ),
    breaking(
      `move a ${place} parameter to cookies`,
      () => parameters(place),
      put({ in: "cookie" }),
      "request-parameter-removed",
    ),
    breaking(
      `change the type of a ${place} parameter`,
      () =>
        parameters(place).filter(
          (each) => object(followed(nodeAt(each)["schema"]))["type"] !== "object",
        ),
      put({ schema: { type: "object", properties: {} } }),
      "request-parameter-type-changed",
    ),
    breaking(
      `write a ${place} parameter as JSON`,
      () => parameters(place),
      (node) => ({
        ...object(drop("schema")(node)),
        content: { "application/json": { schema: object(node)["schema"] ?? {} } },
      }),
    ),
  ]),
  breaking(
    "change explode of a list",
    () => lists("query"),
    (node) => ({ ...object(node), explode: object(node)["explode"] === false }),
  ),
  breaking(
    "change the style of a list",
    () => lists("query"),
    put({ style: "pipeDelimited", explode: false }),
  ),
  breaking(
    "turn a list in the query into one value",
    () => lists("query"),
    put({ schema: { type: "boolean" } }),
    "request-parameter-type-changed",
  ),
  breaking(
    "add a default to an optional parameter",
    () =>
      parameters("query").filter(
        (place) =>
          nodeAt(place)["required"] !== true &&
          object(followed(nodeAt(place)["schema"]))["default"] === undefined,
      ),
    (node) => ({
      ...object(node),
      schema: { ...object(followed(object(node)["schema"])), default: "brand-new" },
    }),
    "request-parameter-default-value-added",
  ),
  breaking(
    "change the default of a parameter",
    () =>
      parameters("query").filter(
        (place) => object(followed(nodeAt(place)["schema"]))["default"] !== undefined,
      ),
    (node) => ({
      ...object(node),
      schema: { ...object(followed(object(node)["schema"])), default: 977 },
    }),
    "request-parameter-default-value-changed",
  ),
  breaking(
    "drop the default of a parameter",
    () =>
      parameters("query").filter(
        (place) => object(followed(nodeAt(place)["schema"]))["default"] !== undefined,
      ),
    (node) => ({
      ...object(node),
      schema: drop("default")(followed(object(node)["schema"])) ?? {},
    }),
    "request-parameter-default-value-removed",
  ),
  breaking("remove a field of a filter", filters, (node) => drop(first(object(node)))(node)),
  breaking(
    "change the type of a field of a filter",
    () => fields(() => true),
    (node) => ({ ...object(node), type: object(node)["type"] === "ip" ? "number" : "ip" }),
  ),
  breaking(
    "a field no longer sorts",
    () => fields((field) => field["sortable"] === true),
    drop("sortable"),
  ),
  breaking(
    "a field no longer filters",
    () => fields((field) => field["filterable"] !== false),
    put({ filterable: false }),
  ),
  breaking(
    "a field lacks a value",
    () => fields((field) => listOf(field["values"]).length > 1),
    (node) => ({ ...object(node), values: listOf(object(node)["values"]).slice(1) }),
  ),
  breaking(
    "a parameter takes no filter",
    () => filters().map((place) => place.slice(0, -2)),
    drop("x-fql"),
  ),
  breaking(
    "other pages",
    () => operations.filter((place) => "x-paging" in nodeAt(place)),
    (node) => ({ ...object(node), "x-paging": "page" }),
  ),
  breaking(
    "no pages",
    () => operations.filter((place) => "x-paging" in nodeAt(place)),
    drop("x-paging"),
  ),

  breaking(
    "remove the body of a request",
    () => operations.filter((place) => "requestBody" in nodeAt(place)),
    drop("requestBody"),
    "request-body-removed",
  ),
  breaking(
    "add a required body",
    () => operations.filter((place) => !("requestBody" in nodeAt(place))),
    put({ requestBody: { required: true, content: { "application/json": { schema: {} } } } }),
    "request-body-added-required",
  ),
  breaking(
    "another media type of a request",
    () => below(named("requestBody"), named("content")),
    rename(first, () => "application/cbor"),
    "request-body-media-type-removed",
  ),
  breaking(
    "remove a member of a request",
    members.bind(undefined, "request"),
    gone,
    "request-property-removed",
  ),
  breaking(
    "rename a member of a request",
    () => properties("request"),
    rename(first, (name) => `${name}_2`),
    "request-property-removed",
  ),
  breaking(
    "add a required member to a request",
    () => objects("request"),
    (node) => ({
      ...object(node),
      properties: { ...object(object(node)["properties"]), brand_new: { type: "string" } },
      required: [...listOf(object(node)["required"]), "brand_new"],
    }),
    "new-required-request-property",
  ),
  breaking(
    "change the type of a member of a request",
    () => members("request"),
    (node) => ({ type: other(object(node)["type"]) }),
    "request-property-type-changed",
  ),
  breaking(
    "make a member of a request read-only",
    () => members("request"),
    put({ readOnly: true }),
    "request-optional-property-became-read-only",
  ),
  breaking(
    "change a default in a request",
    () =>
      sites("request member")
        .filter(({ schema, owner }) => owner !== undefined && schema["default"] !== undefined)
        .map(({ place }) => place),
    put({ default: "brand-new" }),
    "request-property-default-value-changed",
  ),
  breaking(
    "drop a default of a request",
    () =>
      sites("request member")
        .filter(({ schema, owner }) => owner !== undefined && schema["default"] !== undefined)
        .map(({ place }) => place),
    drop("default"),
    "request-property-default-value-removed",
  ),

  breaking(
    "remove a success",
    () => responses(),
    (node) => drop(Object.keys(object(node)).find((status) => status.startsWith("2")) ?? "")(node),
    "response-success-status-removed",
  ),
  breaking(
    "another status of a success",
    () => responses(),
    rename(
      (node) => Object.keys(node).find((status) => status.startsWith("2")) ?? "",
      () => "299",
    ),
    "response-success-status-removed",
  ),
  breaking(
    "another media type of an answer",
    () => below(named("responses"), success, named("content")),
    rename(first, () => "application/cbor"),
    "response-media-type-removed",
  ),
  breaking(
    "an answer without a body",
    () => successes().filter((place) => "content" in nodeAt(place)),
    drop("content"),
    "response-media-type-removed",
  ),
  breaking(
    "an answer without a schema",
    () => below(named("responses"), success, named("content"), every),
    drop("schema"),
    "response-body-media-type-schema-removed",
  ),
  breaking(
    "remove a header of an answer",
    () => below(named("responses"), success, named("headers"), every),
    gone,
    "required-response-header-removed",
  ),
  breaking(
    "a header may be missing",
    () =>
      below(named("responses"), success, named("headers"), every).filter(
        (place) => nodeAt(place)["required"] === true,
      ),
    put({ required: false }),
    "response-header-became-optional",
  ),
  breaking(
    "remove a member of an answer",
    () => members("response"),
    gone,
    "response-required-property-removed",
  ),
  breaking(
    "rename a member of an answer",
    () => properties("response"),
    rename(first, (name) => `${name}_2`),
    "response-required-property-removed",
  ),
  breaking(
    "change the type of a member of an answer",
    () => members("response"),
    (node) => ({ type: other(object(node)["type"]) }),
    "response-property-type-changed",
  ),
  breaking(
    "make a member of an answer write-only",
    () => members("response"),
    put({ writeOnly: true }),
    "response-optional-property-became-write-only",
  ),
  breaking(
    "wrap an answer in an object",
    () =>
      below(named("responses"), success, named("content"), every, named("schema")).filter(
        (place) => nodeAt(place)["type"] === "array",
      ),
    (node) => ({ type: "object", properties: { resources: node ?? {} } }),
    "response-body-type-changed",
  ),

  breaking(
    "need another scope",
    secured,
    (node) => ({
      ...object(node),
      security: listOf(object(node)["security"]).map((each) =>
        Object.fromEntries(
          Object.entries(object(each)).map(([name, scopes]) => [
            name,
            [...listOf(scopes), "brand-new"],
          ]),
        ),
      ),
    }),
    "api-security-scope-added",
  ),
  {
    name: "need a credential everywhere",
    expected: "breaking",
    oasdiff: "api-global-security-added",
    places: () => secured().slice(0, 1),
    apply: (place) =>
      edited(place, (node) => ({
        ...object(node),
        security: [...listOf(object(node)["security"]), { another_key: [] }].slice(-1),
      })),
  },
  breaking(
    "need two credentials",
    secured,
    (node) => ({
      ...object(node),
      security: listOf(object(node)["security"]).map((each) => ({
        ...object(each),
        another_key: [],
      })),
    }),
    "api-security-added",
  ),
  breaking(
    "another token URL",
    () => [flow],
    put({ tokenUrl: "https://elsewhere.example/token" }),
    "api-security-component-oauth-token-url-changed",
  ),
  breaking(
    "remove a scope of OAuth",
    () => [[...flow, "scopes"]],
    (node) => drop(first(object(node)))(node),
    "api-security-component-oauth-scope-removed",
  ),
  breaking(
    "another kind of scheme",
    () => [flow.slice(0, 3)],
    () => ({ type: "http", scheme: "basic" }),
    "api-security-component-type-changed",
  ),
  breaking("another server", () => [["servers", "0"]], put({ url: "https://elsewhere.example" })),
  breaking(
    "another default of the server",
    () => [["servers", "0", "variables", "base_url"]],
    put({ default: "https://elsewhere.example" }),
  ),
];
