import {
  instructions,
  variables,
  type NamedValue,
  type RequestBody,
  type RequestFolder,
  type SampleRequest,
} from "./requests.ts";

/** A collection of all operations for Postman, in its format 2.1. */
export const postmanCollection = (folders: readonly RequestFolder[], version: string): object => ({
  info: {
    name: "Security Platform API",
    description: instructions,
    version,
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
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
