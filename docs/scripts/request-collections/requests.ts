import type { Operation } from "@security-platform/spec";
import type { Collection } from "../reference/index-pages.ts";
import { sampleInput } from "../reference/sample-input.ts";

/** A request of a collection for programs that send requests by hand. */
export interface SampleRequest {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** The path with parameters as `:name`. */
  readonly path: string;
  readonly pathValues: readonly NamedValue[];
  readonly query: readonly NamedValue[];
  readonly headers: readonly NamedValue[];
  readonly body: RequestBody | null;
  readonly needsToken: boolean;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export type RequestBody =
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "form"; readonly fields: readonly NamedValue[] }
  | { readonly kind: "upload"; readonly fields: readonly UploadField[] };

interface UploadField extends NamedValue {
  /** The user picks the file. */
  readonly isFile: boolean;
}

export interface RequestFolder {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly SampleRequest[];
}

/** Variables of the collection, with the server that the quick start starts. */
export const variables = {
  baseUrl: "http://127.0.0.1:8080",
  clientId: "",
  clientSecret: "",
} as const;

/** What the collection needs to work, in one sentence for its description. */
export const instructions =
  "Set `baseUrl`, `clientId` and `clientSecret`, and get a new token in the authorization of the collection.";

export const requestFolders = (collections: readonly Collection[]): readonly RequestFolder[] =>
  collections.map(({ tag, description, operations }) => ({
    name: tag,
    description,
    requests: operations.map(sampleRequest),
  }));

function sampleRequest(operation: Operation): SampleRequest {
  const { query, path, headers, body } = sampleInput(operation);
  const mediaType = body?.mediaType;
  const contentType =
    body === null || mediaType === "multipart/form-data" ? {} : { "Content-Type": mediaType };
  return {
    name: operation.summary,
    description: `${operation.description.trim()}\n\nOperation \`${operation.id}\`${
      operation.scope === null ? "" : `, scope \`${operation.scope}\``
    }.`,
    method: operation.method.toUpperCase(),
    path: operation.path.replaceAll(/\{([^}]+)\}/g, ":$1"),
    pathValues: namedValues(path),
    query: namedValues(query),
    headers: namedValues({ ...contentType, ...headers }),
    body: body === null ? null : requestBody(body.mediaType, body.value, body.files),
    needsToken: operation.scope !== null,
  };
}

function requestBody(mediaType: string, value: unknown, files: readonly string[]): RequestBody {
  if (mediaType === "application/x-www-form-urlencoded") {
    return { kind: "form", fields: namedValues(value as object).map(withVariable) };
  }
  if (mediaType === "multipart/form-data") {
    const fields = namedValues(value as object);
    return {
      kind: "upload",
      fields: fields.map((field) => ({ ...field, isFile: files.includes(field.name) })),
    };
  }
  return { kind: "json", text: JSON.stringify(value, null, 2) };
}

const namedValues = (values: object): readonly NamedValue[] =>
  Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((item) => ({ name, value: String(item) })),
  );

const ownValues: Readonly<Record<string, string>> = {
  client_id: "{{clientId}}",
  client_secret: "{{clientSecret}}",
};

const withVariable = ({ name, value }: NamedValue): NamedValue => ({
  name,
  value: ownValues[name] ?? value,
});
