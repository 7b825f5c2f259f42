import type { JsonObject } from "../../src/json.ts";
import { documentWith, operationWith } from "../../src/testing/documents.ts";
import { familyOf, pairs, done, text } from "./pair.ts";

/** Siblings of the pairs in the other files: the same kinds of change at other keywords and places. */

{
  const { p } = familyOf("servers, siblings");
  const srv = (
    url: string,
    variables?: JsonObject,
    paths: JsonObject = { "/a": { get: { responses: {} } } },
  ) => documentWith({ servers: [{ url, ...(variables ? { variables } : {}) }], paths });
  p(
    "base path moved",
    srv("https://a.example/v1"),
    srv("https://a.example", undefined, { "/v1/a": { get: { responses: {} } } }),
    "none",
    "none",
  );
  p(
    "base path moved part",
    srv("https://a.example/api/v1"),
    srv("https://a.example/api", undefined, { "/v1/a": { get: { responses: {} } } }),
    "none",
    "none",
  );
  p(
    "base path moved relative",
    srv("/v1"),
    srv("/", undefined, { "/v1/a": { get: { responses: {} } } }),
    "none",
    "none",
  );
  p(
    "base path moved to none",
    srv("/v1"),
    documentWith({ paths: { "/v1/a": { get: { responses: {} } } } }),
    "none",
    "none",
  );
  p(
    "base path moved, with changed op",
    srv("https://a.example/v1"),
    srv("https://a.example", undefined, { "/v1/b": { get: { responses: {} } } }),
    "major",
    "major",
  );
  p("default port", srv("https://a.example:443/v1"), srv("https://A.example/v1/"), "none", "none");
  p("http port", srv("http://a.example:80"), srv("http://a.example/"), "none", "none");
  p("other port", srv("http://a.example:443"), srv("http://a.example/"), "major", "major");
  p(
    "var one value",
    srv("https://{h}.example", { h: { default: "a", enum: ["a"] } }),
    srv("https://a.example"),
    "none",
    "none",
  );
  p(
    "var in port",
    srv("https://a.example:{port}", { port: { default: "443", enum: ["443"] } }),
    srv("https://a.example"),
    "none",
    "none",
  );
  p(
    "var path one value",
    srv("https://a.example/{v}", { v: { default: "v1", enum: ["v1"] } }),
    srv("https://a.example/v1"),
    "none",
    "none",
  );
  p(
    "var to moved path",
    srv("https://a.example/{v}", { v: { default: "v1", enum: ["v1"] } }),
    srv("https://a.example", undefined, { "/v1/a": { get: { responses: {} } } }),
    "none",
    "none",
  );
  p(
    "server root spelled",
    documentWith({ paths: { "/a": { get: { responses: {} } } } }),
    srv("/"),
    "none",
    "none",
  );
  p(
    "op servers same as root",
    srv("https://a.example"),
    documentWith({
      servers: [{ url: "https://a.example" }],
      paths: { "/a": { servers: [{ url: "https://a.example" }], get: { responses: {} } } },
    }),
    "none",
    "none",
  );
  p(
    "servers per op instead of root",
    srv("https://a.example"),
    documentWith({
      paths: { "/a": { servers: [{ url: "https://a.example" }], get: { responses: {} } } },
    }),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("security, siblings");
  const sec = (
    security: readonly JsonObject[],
    schemes: JsonObject = {
      k: { type: "http", scheme: "basic" },
      o: {
        type: "oauth2",
        flows: { implicit: { authorizationUrl: "https://a", scopes: { r: "", w: "" } } },
      },
    },
  ) => operationWith({ security }, { components: { securitySchemes: schemes } });
  p("security empty vs {}", sec([]), sec([{}]), "none", "none");
  p(
    "security order",
    sec([{ k: [] }, { o: ["r", "w"] }]),
    sec([{ o: ["w", "r"] }, { k: [] }]),
    "none",
    "none",
  );
  p(
    "security root moved",
    {
      ...operationWith(
        {},
        {
          security: [{ k: [] }],
          components: { securitySchemes: { k: { type: "http", scheme: "basic" } } },
        },
      ),
    },
    sec([{ k: [] }], { k: { type: "http", scheme: "basic" } }),
    "none",
    "none",
  );
  p(
    "scheme case",
    sec([{ k: [] }], { k: { type: "http", scheme: "Bearer" } }),
    sec([{ k: [] }], { k: { type: "http", scheme: "bearer" } }),
    "none",
    "none",
  );
  p(
    "api key header case",
    sec([{ k: [] }], { k: { type: "apiKey", in: "header", name: "X-Key" } }),
    sec([{ k: [] }], { k: { type: "apiKey", in: "header", name: "x-key" } }),
    "none",
    "none",
  );
  p(
    "flow url trailing",
    sec([{ k: [] }], { k: { type: "http", scheme: "bearer", bearerFormat: "JWT" } }),
    sec([{ k: [] }], { k: { type: "http", scheme: "bearer" } }),
    "none",
    "none",
  );
  p("more or req", sec([{ k: [] }]), sec([{ k: [] }, { o: ["r"] }]), "minor", "major");
  p(
    "unused scheme url changed",
    operationWith(
      {},
      {
        components: {
          securitySchemes: { k: { type: "openIdConnect", openIdConnectUrl: "https://a" } },
        },
      },
    ),
    operationWith(
      {},
      {
        components: {
          securitySchemes: { k: { type: "openIdConnect", openIdConnectUrl: "https://b" } },
        },
      },
    ),
    "major",
    "major",
  );
}

{
  const { p } = familyOf("responses, siblings");
  p(
    "status int",
    operationWith({ responses: { 200: { ...done, content: {} } } }),
    operationWith({ responses: { 200: done } }),
    "none",
    "none",
  );
  p(
    "header optional content",
    operationWith({ responses: { 200: { ...done, headers: { "x-a": { schema: text } } } } }),
    operationWith({ responses: { 200: { ...done, headers: { "X-A": { schema: text } } } } }),
    "none",
    "none",
  );
  p(
    "ref response",
    operationWith({
      responses: { 200: { ...done, content: { "application/json": { schema: text } } } },
    }),
    operationWith(
      { responses: { 200: { $ref: "#/components/responses/R" } } },
      {
        components: {
          responses: { R: { ...done, content: { "application/json": { schema: text } } } },
        },
      },
    ),
    "none",
    "none",
  );
  p(
    "requestBody required spelled",
    operationWith({ requestBody: { content: { "application/json": { schema: text } } } }),
    operationWith({
      requestBody: { required: false, content: { "application/json": { schema: text } } },
    }),
    "none",
    "none",
  );
}

{
  const { p } = familyOf("source, siblings");
  p("operationId added", operationWith({}), operationWith({ operationId: "a" }), "patch", "patch");
}

export const siblingsServers = pairs;
