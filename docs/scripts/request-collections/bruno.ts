import { createHash } from "node:crypto";
import {
  instructions,
  variables,
  type NamedValue,
  type RequestBody,
  type RequestFolder,
  type SampleRequest,
} from "./requests.ts";

/** A collection of all operations in the format that Bruno imports and exports. */
export const brunoCollection = (folders: readonly RequestFolder[]): object => ({
  uid: uid("collection"),
  version: "1",
  name: "Security Platform API",
  items: folders.map(({ name, requests }, index) => ({
    uid: uid(name),
    type: "folder",
    name,
    seq: index + 1,
    items: requests.map((request, place) => item(request, place + 1)),
  })),
  environments: [
    {
      uid: uid("environment"),
      name: "Local",
      variables: Object.entries(variables).map(([name, value]) => ({
        uid: uid("environment", name),
        name,
        value,
        type: "text",
        enabled: true,
        secret: name === "clientSecret" || name === "token",
      })),
    },
  ],
  root: { docs: instructions },
});

/** Bruno identifies everything by 21 characters. They are the same in every build. */
const uid = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 21);

function item(request: SampleRequest, seq: number): object {
  const key = `${request.method} ${request.path}`;
  const entry = ({ name, value }: NamedValue, index: number): object => ({
    uid: uid(key, name, String(index)),
    name,
    value,
    enabled: true,
  });
  return {
    uid: uid(key),
    type: "http-request",
    name: request.name,
    seq,
    request: {
      url: `{{baseUrl}}${request.path}`,
      method: request.method,
      headers: request.headers.map(entry),
      params: [
        ...request.query.map((value, index) => ({ ...entry(value, index), type: "query" })),
        ...request.pathValues.map((value, index) => ({ ...entry(value, index), type: "path" })),
      ],
      auth: request.needsToken
        ? { mode: "bearer", bearer: { token: "{{token}}" } }
        : { mode: "none" },
      body: body(request.body, key),
      docs: request.description,
    },
  };
}

function body(content: RequestBody | null, key: string): object {
  const entries = (fields: readonly NamedValue[]): readonly object[] =>
    fields.map(({ name, value }, index) => ({
      uid: uid(key, "body", name, String(index)),
      name,
      value,
      enabled: true,
    }));
  switch (content?.kind) {
    case undefined:
      return { mode: "none" };
    case "json":
      return { mode: "json", json: content.text };
    case "form":
      return { mode: "formUrlEncoded", formUrlEncoded: entries(content.fields) };
    case "upload":
      return {
        mode: "multipartForm",
        multipartForm: content.fields.map((field, index) => ({
          ...entries([field])[0],
          uid: uid(key, "upload", field.name, String(index)),
          type: field.isFile ? "file" : "text",
          value: field.isFile ? [] : field.value,
        })),
      };
  }
}
