import type { Json, JsonObject } from "../../src/json.ts";
import { documentWith, operationWith } from "../../src/testing/documents.ts";
import { done, object, pair, pairs, text } from "./pair.ts";

const newest = "3.2.0";
const document = (parts: JsonObject) => documentWith(parts, newest);

// Methods of OpenAPI 3.2.
const item = (members: JsonObject) => document({ paths: { "/things": members } });
const operation = { responses: { 200: done } };
const withBody = (schema: Json) => ({
  ...operation,
  requestBody: { required: true, content: { "application/json": { schema } } },
});
const both = { get: operation };
for (const [name, members] of [
  ["the method QUERY", (node: JsonObject) => ({ query: node })],
  ["an additional method", (node: JsonObject) => ({ additionalOperations: { COPY: node } })],
] as const) {
  pair(
    "methods",
    `${name}, added`,
    item(both),
    item({ ...both, ...members(operation) }),
    "minor",
    "major",
  );
  pair(
    "methods",
    `${name}, a limit`,
    item(members(withBody(text))),
    item(members(withBody({ ...text, maxLength: 3 }))),
    "major",
    "minor",
  );
}
pair(
  "methods",
  "another additional method",
  item({ additionalOperations: { COPY: operation } }),
  item({ additionalOperations: { MOVE: operation } }),
  "major",
  "major",
);
pair(
  "methods",
  "the case of a method counts",
  item({ additionalOperations: { COPY: operation } }),
  item({ additionalOperations: { copy: operation } }),
  "major",
  "major",
);
pair(
  "methods",
  "a method got a keyword of its own",
  item({ additionalOperations: { QUERY: operation } }),
  item({ query: operation }),
  "none",
  "none",
);
pair(
  "methods",
  "a referenced method",
  document({ paths: { "/things": { query: operation } } }),
  document({
    paths: { "/things": { $ref: "#/components/pathItems/Things" } },
    components: { pathItems: { Things: { query: operation } } },
  }),
  "none",
  "none",
);

// Sequences of items.
const streamed = (media: JsonObject, type = "text/event-stream", openapi = newest) =>
  operationWith({ responses: { 200: { ...done, content: { [type]: media } } } }, {}, openapi);
const uploaded = (media: JsonObject, type = "application/jsonl") =>
  operationWith({ requestBody: { required: true, content: { [type]: media } } }, {}, newest);
const event = object({ data: text }, { required: ["data"] });
const limited = object({ data: { ...text, maxLength: 3 } }, { required: ["data"] });
for (const type of ["text/event-stream", "application/jsonl", "application/json-seq"]) {
  pair(
    "sequences",
    `narrower items of ${type}, response`,
    streamed({ itemSchema: event }, type),
    streamed({ itemSchema: limited }, type),
    "patch",
    "major",
  );
  pair(
    "sequences",
    `narrower items of ${type}, request`,
    uploaded({ itemSchema: event }, type),
    uploaded({ itemSchema: limited }, type),
    "major",
    "minor",
  );
  pair(
    "sequences",
    `a list and its items, ${type}`,
    streamed({ schema: { type: "array", items: event } }, type),
    streamed({ itemSchema: event }, type),
    "none",
    "none",
  );
  pair(
    "sequences",
    `the schema of an item before 3.2, ${type}`,
    streamed({ schema: event }, type, "3.1.0"),
    streamed({ itemSchema: event }, type),
    "none",
    "none",
  );
  pair(
    "sequences",
    `a member of an item removed, ${type}`,
    streamed({ itemSchema: object({ data: text, id: text }) }, type),
    streamed({ itemSchema: object({ data: text }) }, type),
    "major",
    "minor",
  );
}
pair(
  "sequences",
  "items described",
  streamed({ schema: text }, "text/event-stream", "3.1.0"),
  streamed({ itemSchema: event }),
  "patch",
  "major",
);
pair(
  "sequences",
  "the encoding of items",
  uploaded({ itemSchema: {}, itemEncoding: { contentType: "image/png" } }, "multipart/mixed"),
  uploaded({ itemSchema: {}, itemEncoding: { contentType: "image/gif" } }, "multipart/mixed"),
  "major",
  "major",
);
pair(
  "sequences",
  "the encoding of one part",
  uploaded(
    { itemSchema: {}, prefixEncoding: [{ contentType: "image/png" }, {}] },
    "multipart/mixed",
  ),
  uploaded({ itemSchema: {}, prefixEncoding: [{ contentType: "image/png" }] }, "multipart/mixed"),
  "none",
  "none",
);

export const newMessagePairs = pairs;
