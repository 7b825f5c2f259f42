import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonObject } from "../src/json.ts";
import {
  compare,
  documentWith,
  jsonBody,
  operationWith,
  requestOf,
  responseOf,
} from "../src/testing/documents.ts";
import { api, done, project } from "./settings-project.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const text = { type: "string" };
const object = (properties: JsonObject, ...required: readonly string[]) => ({
  type: "object",
  properties,
  required: [...required],
});
const a = object({ a: text });
const parameters = (...all: readonly JsonObject[]) => operationWith({ parameters: all });
const answers = (...statuses: readonly number[]) =>
  operationWith({
    responses: Object.fromEntries(statuses.map((status) => [status, { description: "Done." }])),
  });
const secured = (...scopes: readonly string[]) =>
  operationWith(
    { security: [{ o: [...scopes] }] },
    { components: { securitySchemes: { o: { type: "oauth2", flows: {} } } } },
  );

/** Schemas before and after. */
const schemas: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  "a member is removed": [object({ a: text, b: text }), a],
  "an optional member is added": [a, object({ a: text, b: text })],
  "a required member is added": [a, object({ a: text, b: text }, "b")],
  "a member becomes required": [a, object({ a: text }, "a")],
  "a member becomes optional": [object({ a: text }, "a"), a],
  "an enumeration gets another value": [{ enum: ["a"] }, { enum: ["a", "b"] }],
  "an enumeration loses a value": [{ enum: ["a", "b"] }, { enum: ["a"] }],
  "`maximum` is lowered": [
    { type: "integer", maximum: 9 },
    { type: "integer", maximum: 5 },
  ],
  "`integer` becomes `number`": [{ type: "integer" }, { type: "number" }],
  "null is allowed": [text, { type: ["string", "null"] }],
  "`oneOf` gets another alternative": [
    { oneOf: [text, { type: "integer" }] },
    { oneOf: [text, { type: "integer" }, { type: "boolean" }] },
  ],
  "the default of an optional member changes": [
    object({ a: { ...text, default: "x" } }),
    object({ a: { ...text, default: "y" } }),
  ],
  "a description, an example, or the order of members": [
    { ...object({ a: text, b: text }), description: "One." },
    { description: "Two.", ...object({ b: text, a: text }) },
  ],
};
const bodies = (content: JsonObject) => ({
  request: operationWith({ requestBody: { content } }),
  response: operationWith({ responses: { 200: { description: "Done.", content } } }),
});
const { content: json } = jsonBody(a) as { readonly content: JsonObject };
const both = { ...json, "text/csv": {} };

/** Documents before and after, for requests and responses. */
type Edit = readonly [JsonObject, JsonObject];
const edits: Readonly<Record<string, { readonly request?: Edit; readonly response?: Edit }>> = {
  "a further media type": {
    request: [bodies(json).request, bodies(both).request],
    response: [bodies(json).response, bodies(both).response],
  },
  "an optional parameter is added": {
    request: [parameters(), parameters({ name: "q", in: "query", schema: text })],
  },
  "a required parameter is added": {
    request: [parameters(), parameters({ name: "q", in: "query", required: true, schema: text })],
  },
  "a success status is removed": { response: [answers(200, 202), answers(200)] },
  "an error status is added": { response: [answers(200), answers(200, 404)] },
  "an operation is removed": { request: [operationWith({}), documentWith({})] },
  "another scope is needed": { request: [secured("read"), secured("read", "write")] },
};

test("the table of edits has the verdicts of the gate", () => {
  const rows = [
    ...readme.matchAll(
      /^\| (.+?) +\| (none|patch|minor|major|-) +\| (none|patch|minor|major|-) +\|$/gm,
    ),
  ];
  const written = rows.map(([, edit, request, response]) => [edit, request, response]);
  const verdict = (edit: Edit | undefined) =>
    edit === undefined ? "-" : compare(edit[0], edit[1]).verdict;
  expect(written).toEqual([
    ...Object.entries(schemas).map(([edit, [before, after]]) => [
      edit,
      verdict([requestOf(before), requestOf(after)]),
      verdict([responseOf(before), responseOf(after)]),
    ]),
    ...Object.entries(edits).map(([edit, { request, response }]) => [
      edit,
      verdict(request),
      verdict(response),
    ]),
  ]);
});

test("the line with --approve writes an approval that the next run accepts", async () => {
  const block = readme.split("```").find((each) => each.includes("--approve "));
  const line = block?.trim().replace(/^npx spec-gate /, "") ?? "";
  const words = [...line.replaceAll("\\\n", " ").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  expect(words.slice(0, 2)).toEqual(["git:origin/main:openapi.yaml", "openapi.yaml"]);
  const files = { "base.json": api({ "/things": { get: done } }), "openapi.yaml": api({}) };
  const { run, path } = project(files);
  const own = words
    .with(0, path("base.json"))
    .map((word) => (word === "approvals.yaml" ? path(word) : word));
  expect(await run(own)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 approval written"),
  });
  const again = await run([
    path("base.json"),
    "openapi.yaml",
    "--approvals",
    path("approvals.yaml"),
  ]);
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringContaining("approved: Nobody reads it"),
  ]);
});
