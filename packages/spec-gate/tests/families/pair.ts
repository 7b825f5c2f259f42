import type { Verdict } from "../../src/change.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import {
  documentWith,
  jsonBody,
  operationWith,
  requestOf,
  responseOf,
} from "../../src/testing/documents.ts";

/** Two documents, and the verdicts there and back. */
export interface Pair {
  readonly family: string;
  readonly name: string;
  readonly base: JsonObject;
  readonly revision: JsonObject;
  readonly forward: Verdict;
  readonly backward: Verdict;
}

export const text = { type: "string" };
export const integer = { type: "integer" };
export const done = { description: "Done." };
export const object = (properties: JsonObject, more: JsonObject = {}) => ({
  type: "object",
  properties,
  ...more,
});

/** The places at which a schema is compared. */
export const schemaPlaces: Readonly<
  Record<string, (schema: Json, openapi?: string) => JsonObject>
> = {
  "request body": (schema, openapi) => requestOf(schema, {}, openapi),
  "response body": (schema, openapi) => responseOf(schema, {}, openapi),
  "request member": (schema, openapi) =>
    requestOf(object({ m: schema as JsonObject }), {}, openapi),
  "response member": (schema, openapi) =>
    responseOf(object({ m: schema as JsonObject }), {}, openapi),
  "request item": (schema, openapi) => requestOf({ type: "array", items: schema }, {}, openapi),
  "query parameter": (schema, openapi) =>
    operationWith({ parameters: [{ name: "q", in: "query", schema }] }, {}, openapi),
  "request header": (schema, openapi) =>
    operationWith({ parameters: [{ name: "X-Q", in: "header", schema }] }, {}, openapi),
  "response header": (schema, openapi) =>
    operationWith({ responses: { 200: { ...done, headers: { "X-A": { schema } } } } }, {}, openapi),
  callback: (schema, openapi) =>
    operationWith(
      {
        callbacks: {
          done: {
            "{$request.body#/url}": {
              post: {
                requestBody: jsonBody(schema),
                responses: { 200: { ...done, ...jsonBody(schema) } },
              },
            },
          },
        },
      },
      {},
      openapi,
    ),
  webhook: (schema, openapi) => {
    const post = {
      requestBody: jsonBody(schema),
      responses: { 200: { ...done, ...jsonBody(schema) } },
    };
    const name = openapi?.startsWith("3.0") === true ? "x-webhooks" : "webhooks";
    return documentWith({ [name]: { done: { post } } }, openapi);
  },
};

/** The pairs of all families. */
export const pairs: Pair[] = [];
export const pair = (
  family: string,
  name: string,
  base: JsonObject,
  revision: JsonObject,
  forward: Verdict,
  backward: Verdict,
): void => void pairs.push({ family, name, base, revision, forward, backward });

/** Two ways to write the same schema: no change at any place. */
export function same(
  family: string,
  name: string,
  one: Json,
  other: Json,
  versions: readonly [string, string] = ["3.1.0", "3.1.0"],
): void {
  for (const [place, at] of Object.entries(schemaPlaces)) {
    pair(family, `${name}, ${place}`, at(one, versions[0]), at(other, versions[1]), "none", "none");
  }
}

/** A schema that allows more than another one. */
export function wider(family: string, name: string, narrow: Json, wide: Json): void {
  for (const [place, at] of Object.entries(schemaPlaces)) {
    const isRequest = /request|parameter/.test(place);
    const both = place === "callback" || place === "webhook";
    const [there, back]: readonly [Verdict, Verdict] = both
      ? ["major", "major"]
      : isRequest
        ? ["minor", "major"]
        : ["major", "patch"];
    pair(family, `${name}, ${place}`, at(narrow), at(wide), there, back);
  }
}

/** The functions above for one family; `both` has the verdicts of a request, and those of a response. */
export const familyOf = (family: string) => ({
  p: (
    name: string,
    base: JsonObject,
    revision: JsonObject,
    forward: Verdict,
    backward: Verdict,
  ): void => pair(family, name, base, revision, forward, backward),
  sameAnywhere: (name: string, one: Json, other: Json): void => same(family, name, one, other),
  both: (
    name: string,
    one: Json,
    other: Json,
    request: readonly [Verdict, Verdict],
    response: readonly [Verdict, Verdict],
  ): void => {
    pair(family, `${name}, request`, requestOf(one), requestOf(other), ...request);
    pair(family, `${name}, response`, responseOf(one), responseOf(other), ...response);
  },
});
