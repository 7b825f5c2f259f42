import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../../src/json.ts";
import { compare, documentWith, operationWith } from "../../src/testing/documents.ts";
import { families, instances } from "./families.ts";
import { wireOf, type Style } from "./wire.ts";

/**
 * Pairs of parameters and headers whose verdict follows from inclusion of messages: Ajv says which
 * instances a schema allows, and `wireOf` which texts they become. A request that was valid must remain
 * valid, and a new response must have been valid before.
 */
const styles: readonly (readonly [place: string, style: Style])[] = [
  ["query", { style: "form", explode: true }],
  ["query", { style: "form", explode: false }],
  ["query", { style: "pipeDelimited", explode: false }],
  ["query", { style: "deepObject", explode: true }],
  ["path", { style: "simple", explode: false }],
  ["path", { style: "label", explode: true }],
  ["header", { style: "simple", explode: false }],
  ["header", { style: "simple", explode: true }],
  ["cookie", { style: "form", explode: true }],
];

const parameter = (place: string, style: Style, schema: Json): JsonObject => ({
  name: "q",
  in: place,
  schema,
  ...style,
  ...(place === "path" ? { required: true } : {}),
});
const pathOf = (place: string): string => (place === "path" ? "/things/{q}" : "/things");
const done = { description: "Done." };

/** Where a parameter or a header stands, and who sends it. */
interface Place {
  readonly name: string;
  readonly sender: "client" | "server";
  readonly style: Style;
  readonly isHeader: boolean;
  readonly document: (schema: Json) => JsonObject;
}

const places: readonly Place[] = [
  ...styles.map(([place, style]): Place => ({
    name: `${place} ${style.style}${style.explode ? " exploded" : ""}`,
    sender: "client",
    style,
    isHeader: false,
    document: (schema) =>
      documentWith({
        paths: {
          [pathOf(place)]: {
            get: { parameters: [parameter(place, style, schema)], responses: { 204: done } },
          },
        },
      }),
  })),
  ...(["callback", "webhook"] as const).map((kind): Place => ({
    name: `query of a ${kind}`,
    sender: "server",
    style: { style: "form", explode: true },
    isHeader: false,
    document: (schema) => {
      const style = { style: "form", explode: true };
      const post = {
        parameters: [parameter("query", style, schema)],
        responses: { 204: done },
      };
      return kind === "webhook"
        ? documentWith({ webhooks: { done: { post } } })
        : operationWith({ callbacks: { done: { "{$request.body#/url}": { post } } } });
    },
  })),
  ...[false, true].map((explode): Place => ({
    name: `response header${explode ? " exploded" : ""}`,
    sender: "server",
    style: { style: "simple", explode },
    isHeader: true,
    document: (schema) =>
      operationWith({
        responses: { 200: { ...done, headers: { "X-Q": { schema, explode } } } },
      }),
  })),
];

const forms = ["application/x-www-form-urlencoded", "multipart/form-data"].flatMap((type) =>
  (["client", "server"] as const).map((sender): Place => ({
    name: `${sender === "client" ? "request" : "response"} ${type}`,
    sender,
    style: { style: "part", explode: true },
    isHeader: false,
    document: (schema) => {
      const content = { [type]: { schema: { type: "object", properties: { q: schema } } } };
      return operationWith(
        sender === "client"
          ? { requestBody: { content } }
          : { responses: { 200: { ...done, content } } },
      );
    },
  })),
);

/** Texts that the other families have as values of other types. */
const scalarTexts = "0 1 2 3 4 -1 0.5 1.5 true false 01".split(" ");
const listTexts = "0,1 1,1 2,3 1,0 1,1,0 0|1 1|1 2|3 1|0 1|1|0 0.1 1.1".split(" ");
const lists = ["0", "1", "2", "1 1", "0 1", "2 3", "1 0", "1 1 0"].map((list) => list.split(" "));
const textual: readonly Json[] = [...scalarTexts, ...listTexts, ...lists];
const texts: Readonly<Record<string, readonly Json[]>> = {
  ...families,
  "values as texts": [
    { enum: [1, 2] },
    { enum: ["1", "2"] },
    { type: "integer", enum: [1, 2] },
    { type: "string", enum: ["1"] },
    { enum: ["true", "false"] },
    { type: "boolean" },
    { const: true },
    { type: ["integer", "boolean"] },
    { type: "string" },
    { type: "string", pattern: "^[0-9]+$" },
  ],
  "one and several": [
    { type: "integer" },
    { type: "array", items: { type: "integer" } },
    { type: "array", items: { type: "integer" }, minItems: 1 },
    { type: "array", items: { type: "integer" }, maxItems: 1 },
    { type: "array", items: { type: "string" } },
    { type: "string" },
  ],
};

const ajv = new Ajv2020({ strict: false, logger: false });
const single = [...instances, ...textual, false];
const values = single.flatMap((value) =>
  value === null || typeof value === "object" ? [value] : [value, [value], [String(value)]],
);
const allowedBy = new Map<string, readonly Json[]>();
function allowed(schema: Json): readonly Json[] {
  const key = JSON.stringify(schema);
  const known = allowedBy.get(key);
  if (known !== undefined) return known;
  const validate = ajv.compile(schema as JsonObject);
  const all = values.filter((value) => validate(value) === true);
  allowedBy.set(key, all);
  return all;
}

function messages(style: Style, schema: Json): ReadonlySet<string> {
  return new Set(
    allowed(schema).flatMap((value) => {
      const text = wireOf(style, value);
      return text === undefined ? [] : [text];
    }),
  );
}

/** Disagreements with a reason. */
export const reasons: readonly (readonly [pair: RegExp, reason: string])[] = [
  [
    /"minimum":1\}\]\}.*"maximum":0.*"minimum":2|"maximum":0.*"minimum":2.*"minimum":1\}\]\}/,
    "the hole that oneOf leaves where its ranges meet is not compared with a hole between ranges",
  ],
  [
    /several: .*"array".* to \{"type":"string"\} at|several: \{"type":"string"\} to .*"array"/,
    "a list that is read as one text, or a text that is read as a list, means something else",
  ],
  [
    /several: \{"type":"integer"\} to .*"maxItems":1|several: .*"maxItems":1\} to \{"type":"integer"\}/,
    "a list of at most one item is a list for those who read it",
  ],
];

interface Case {
  readonly family: string;
  readonly words: string;
  readonly place: Place;
  readonly base: Json;
  readonly revision: Json;
}

export const cases: readonly Case[] = Object.entries(texts).flatMap(([family, schemas]) =>
  schemas.flatMap((base) =>
    schemas
      .filter((revision) => revision !== base)
      .flatMap((revision) =>
        [...places, ...forms]
          // How lists are written there is not defined.
          .filter(
            ({ style }) =>
              style.style !== "deepObject" || !/"array"/.test(JSON.stringify([base, revision])),
          )
          .map((place) => ({
            family,
            words: `${family}: ${JSON.stringify(base)} to ${JSON.stringify(revision)} at ${place.name}`,
            place,
            base,
            revision,
          })),
      ),
  ),
);

/** What disagrees with the oracle; undefined if nothing does. */
export function difference({ words, place, base, revision }: Case): string | undefined {
  const [before, after] = [messages(place.style, base), messages(place.style, revision)];
  const isLost = [...before].some((text) => !after.has(text));
  const isGained = [...after].some((text) => !before.has(text));
  const breaks = place.sender === "client" ? isLost : isGained;
  const { verdict, changes } = compare(place.document(base), place.document(revision));
  const isRight = (verdict === "major") === breaks && (isLost || isGained || verdict === "none");
  if (isRight) return undefined;
  const rules = [...new Set(changes.map(({ rule }) => rule))].join(", ");
  const expected = breaks ? "major" : isLost || isGained ? "safe" : "none";
  return `${words}: ${verdict} (${rules}), expected ${expected}`;
}

/** Disagreements without a reason. */
export function disagreement(each: Case): readonly string[] {
  const words = difference(each);
  return words === undefined || reasons.some(([pair]) => pair.test(words)) ? [] : [words];
}
