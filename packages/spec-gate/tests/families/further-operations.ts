import type { Verdict } from "../../src/change.ts";
import type { JsonObject } from "../../src/json.ts";
import { documentWith, jsonBody, operationWith } from "../../src/testing/documents.ts";
import { done, familyOf, object, pairs, text } from "./pair.ts";

const required = { required: true };

{
  // Clients answer webhooks and callbacks.
  const { p } = familyOf("answers");
  const operation = (responses: JsonObject) => ({
    requestBody: jsonBody(object({ a: text })),
    responses,
  });
  const places = {
    webhook: (responses: JsonObject) =>
      documentWith({ webhooks: { w: { post: operation(responses) } } }),
    callback: (responses: JsonObject) =>
      operationWith({
        callbacks: { c: { "{$request.body#/url}": { post: operation(responses) } } },
      }),
    operation: (responses: JsonObject) => operationWith({ responses }),
  };
  for (const [place, at] of Object.entries(places)) {
    const isAnswered = place === "operation";
    const either = (answered: Verdict, answering: Verdict): Verdict =>
      isAnswered ? answered : answering;
    const header = (more: JsonObject) => ({
      ...done,
      headers: { "X-A": { schema: text, ...more } },
    });
    const { content } = jsonBody(object({ ok: text })) as { readonly content: JsonObject };
    const withBody = { ...done, content };
    const one = at({ 200: done });
    const name = (words: string) => `${words}, ${place}`;
    p(name("a status to its range"), one, at({ "2XX": done }), "minor", either("patch", "major"));
    p(
      name("two statuses to their range"),
      at({ 200: done, 204: done }),
      at({ "2XX": done }),
      "minor",
      either("patch", "major"),
    );
    p(
      name("an error to its range"),
      at({ 200: done, 404: done }),
      at({ 200: done, "4XX": done }),
      "minor",
      "minor",
    );
    p(name("another status"), one, at({ 202: done }), "major", "major");
    p(name("a further status"), one, at({ 200: done, 202: done }), "minor", "major");
    p(name("an optional header"), one, at({ 200: header({}) }), "minor", "major");
    p(
      name("a required header"),
      one,
      at({ 200: header(required) }),
      either("minor", "major"),
      "major",
    );
    p(
      name("a header becomes required"),
      at({ 200: header({}) }),
      at({ 200: header(required) }),
      either("patch", "major"),
      either("major", "minor"),
    );
    p(
      name("a required header and a range"),
      at({ "2XX": done }),
      at({ 200: header(required) }),
      either("minor", "major"),
      "major",
    );
    p(name("a body"), one, at({ 200: withBody }), either("minor", "major"), "major");
    p(
      name("a further type"),
      at({ 200: withBody }),
      at({ 200: { ...done, content: { ...content, "text/csv": {} } } }),
      "minor",
      "major",
    );
  }
}

{
  // Names of schemes are not sent.
  const { p } = familyOf("unused security schemes");
  const bearer = { type: "http", scheme: "bearer" };
  const key = { type: "apiKey", in: "header", name: "X-Key" };
  const of = (securitySchemes: JsonObject, ...security: readonly JsonObject[]) =>
    operationWith({ security }, { components: { securitySchemes } });
  p(
    "one renamed",
    of({ a: bearer, b: key }, { a: [] }),
    of({ a: bearer, c: key }, { a: [] }),
    "none",
    "none",
  );
  p(
    "beside a used one of the same kind",
    of({ a: bearer, b: bearer }, { a: [] }),
    of({ a: bearer, c: bearer }, { a: [] }),
    "none",
    "none",
  );
  p(
    "two renamed",
    of({ a: bearer, b: key, c: key }, { a: [] }),
    of({ a: bearer, d: key, e: key }, { a: [] }),
    "none",
    "none",
  );
  p(
    "without any requirement",
    of({ b: key }),
    of({ c: { ...key, name: "x-key" } }),
    "none",
    "none",
  );
  p(
    "the format of the token",
    of({ b: bearer }),
    of({ c: { ...bearer, bearerFormat: "JWT" } }),
    "none",
    "none",
  );
  p(
    "two used ones renamed",
    of({ a: key, b: key }, { a: [] }, { b: [] }),
    of({ c: key, d: key }, { c: [] }, { d: [] }),
    "major",
    "major",
  );
}

{
  // A variable with listed values stands for several URLs.
  const { p } = familyOf("variables of servers");
  const get = { responses: { 204: done } };
  const regions = (...values: readonly string[]) => ({
    url: "https://{region}.a.example/v1",
    variables: {
      region: { default: values[0] ?? "eu", ...(values.length === 0 ? {} : { enum: [...values] }) },
    },
  });
  const at = (region: string) => ({ url: `https://${region}.a.example/v1` });
  for (const [place, of] of Object.entries({
    document: (...servers: readonly JsonObject[]) =>
      documentWith({ servers, paths: { "/a": { get } } }),
    operation: (...servers: readonly JsonObject[]) =>
      documentWith({ paths: { "/a": { get: { ...get, servers } } } }),
  })) {
    const name = (words: string) => `${words}, ${place}`;
    p(name("listed one by one"), of(regions("eu", "us")), of(at("eu"), at("us")), "none", "none");
    p(name("in another order"), of(regions("eu", "us")), of(at("us"), at("eu")), "none", "none");
    p(
      name("partly listed"),
      of(regions("eu", "us")),
      of({ ...at("eu") }, regions("eu", "us")),
      "none",
      "none",
    );
    p(name("one less"), of(regions("eu", "us")), of(at("eu")), "major", "minor");
    p(name("others"), of(regions("eu", "us")), of(at("ap"), at("af")), "major", "major");
    p(name("a value more"), of(regions("eu")), of(regions("eu", "us")), "minor", "major");
    p(
      name("a value as a server of its own"),
      of(regions("eu", "us")),
      of(regions("eu"), at("us")),
      "none",
      "none",
    );
    p(name("a list of values"), of(regions()), of(regions("eu")), "major", "minor");
    p(name("any value beside the default"), of(at("eu")), of(regions()), "minor", "major");
    const ports = {
      region: { default: "eu", enum: ["eu", "us"] },
      port: { default: "443", enum: ["443", "8443"] },
    };
    p(
      name("two variables"),
      of({ url: "https://{region}.a.example:{port}", variables: ports }),
      of(
        ...["eu", "us"].flatMap((region) =>
          ["", ":8443"].map((port) => ({ url: `https://${region}.a.example${port}` })),
        ),
      ),
      "none",
      "none",
    );
  }
}

export const furtherOperations = pairs;
