import type { Json, JsonObject } from "../../src/json.ts";
import { operationWith, requestOf, responseOf } from "../../src/testing/documents.ts";
import { documentEdits, type DocumentEdit } from "./document-edits.ts";
import { memberEdits, petComponents, schemaEdits, type Edit } from "./schema-edits.ts";

const member = (schema: Json): JsonObject => ({ type: "object", properties: { name: schema } });

/** Inserts a schema at the place that the first part of oasdiff's name specifies. */
const targets: Readonly<Record<string, (schema: Json) => JsonObject>> = {
  "request-body": (schema) => requestOf(schema, petComponents),
  "request-property": (schema) => requestOf(member(schema), petComponents),
  "request-read-only-property": (schema) =>
    requestOf(member({ ...(schema as JsonObject), readOnly: true }), petComponents),
  "response-body": (schema) => responseOf(schema, petComponents),
  "response-mediatype": (schema) => responseOf(schema, petComponents),
  "response-property": (schema) => responseOf(member(schema), petComponents),
  "response-write-only-property": (schema) =>
    responseOf(member({ ...(schema as JsonObject), writeOnly: true }), petComponents),
  "request-parameter": (schema) => parameterOf(schema),
  "request-parameter-property": (schema) => parameterOf(member(schema)),
  "response-header": (schema) =>
    operationWith({
      responses: { 200: { description: "Fine.", headers: { "X-A": { schema } } } },
    }),
};

const parameterOf = (schema: Json): JsonObject =>
  operationWith({ parameters: [{ name: "q", in: "query", style: "deepObject", schema }] });

/** Edits that depend on the direction: a change that is compatible there. */
const compatible: Readonly<Record<string, Edit>> = {
  request: [{ type: "integer" }, { type: "number" }],
  response: [{ type: "number" }, { type: "integer" }],
};

/** The edit that demonstrates one of oasdiff's checks. */
export function editOf(id: string): DocumentEdit | undefined {
  const whole = documentEdits[id];
  if (whole !== undefined) return whole;
  const direction = id.includes("response-") ? "response" : "request";
  const wrap = direction === "request" ? targets["request-body"] : targets["response-body"];
  const members = memberEdits[id];
  if (members !== undefined && wrap !== undefined) return [wrap(members[0]), wrap(members[1])];
  const target = Object.keys(targets)
    .filter((each) => id.startsWith(`${each}-`))
    .toSorted((left, right) => right.length - left.length)
    .find((each) => changeOf(id, each, direction) !== undefined);
  if (target === undefined) return undefined;
  const edit = changeOf(id, target, direction);
  const place = targets[target];
  return edit === undefined || place === undefined ? undefined : [place(edit[0]), place(edit[1])];
}

function changeOf(id: string, target: string, direction: string): Edit | undefined {
  const change = id.slice(target.length + 1);
  return change === "type-compatible" ? compatible[direction] : schemaEdits[change];
}
