import {
  instructions,
  variables,
  type NamedValue,
  type RequestBody,
  type RequestFolder,
  type SampleRequest,
} from "./requests.ts";

/** A collection of all operations in the format 2.1 of Postman, which Bruno imports as well. */
export const postmanCollection = (folders: readonly RequestFolder[], version: string): object => ({
  info: {
    name: "Security Platform API",
    description: instructions,
    version,
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: {
    type: "oauth2",
    oauth2: Object.entries({
      grant_type: "client_credentials",
      accessTokenUrl: "{{baseUrl}}/oauth2/token",
      clientId: "{{clientId}}",
      clientSecret: "{{clientSecret}}",
      client_authentication: "body",
      addTokenTo: "header",
      headerPrefix: "Bearer",
    }).map(([key, value]) => ({ key, value, type: "string" })),
  },
  variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: "string" })),
  item: folders.map(({ name, description, requests }) => ({
    name,
    description,
    item: requests.map(item),
  })),
});

const item = (request: SampleRequest): object => ({
  name: request.name,
  request: {
    method: request.method,
    description: request.description,
    header: pairs(request.headers),
    url: {
      raw: `{{baseUrl}}${request.path}${search(request.query)}`,
      host: ["{{baseUrl}}"],
      path: request.path.slice(1).split("/"),
      query: pairs(request.query),
      variable: pairs(request.pathValues),
    },
    ...(!request.needsToken && { auth: { type: "noauth" } }),
    ...(request.body !== null && { body: body(request.body) }),
  },
});

const pairs = (values: readonly NamedValue[]): readonly object[] =>
  values.map(({ name, value }) => ({ key: name, value }));

const search = (query: readonly NamedValue[]): string =>
  query.length === 0
    ? ""
    : `?${query.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join("&")}`;

function body(content: RequestBody): object {
  switch (content.kind) {
    case "json":
      return { mode: "raw", raw: content.text, options: { raw: { language: "json" } } };
    case "form":
      return { mode: "urlencoded", urlencoded: pairs(content.fields) };
    case "upload":
      return {
        mode: "formdata",
        formdata: content.fields.map(({ name, value, isFile }) =>
          isFile ? { key: name, type: "file", src: null } : { key: name, type: "text", value },
        ),
      };
  }
}
