import { isObject, shown, type Json, type JsonObject } from "../json.ts";
import { nearest } from "../nearest.ts";
import { isNumeric, isInteger } from "../numeric.ts";
import { maps } from "./load-document.ts";
import { CannotJudge } from "./cannot-judge.ts";
import type { LoadedDocument } from "./loaded-document.ts";
import { child, escapeToken } from "./pointer.ts";

/** A keyword whose value has another type than the specification says, so that it is not read. */
export interface MalformedKeyword {
  readonly pointer: string;
  readonly message: string;
}

interface Expected {
  readonly words: string;
  readonly allows: (value: Json) => boolean;
  /** How a value that is not allowed is read; by default it is ignored. */
  readonly readAs?: (value: Json) => string | undefined;
}

const isSchema = (value: Json): boolean => isObject(value) || typeof value === "boolean";
const isText = (value: Json): boolean => typeof value === "string";
const isListOf = (value: Json, allows: (item: Json) => boolean): boolean =>
  Array.isArray(value) && (value as readonly Json[]).every(allows);
const isMapOf = (value: Json, allows: (item: Json) => boolean): boolean =>
  isObject(value) && Object.values(value).every(allows);

const number: Expected = { words: "a number", allows: isNumeric };
const count: Expected = {
  words: "a whole number from 0 on",
  allows: (value) => isNumeric(value) && isInteger(value) && value >= 0,
};
const flag: Expected = { words: "true or false", allows: (value) => typeof value === "boolean" };
const text: Expected = { words: "a text", allows: isText };
const list: Expected = { words: "a list", allows: Array.isArray };
const map: Expected = { words: "an object", allows: isObject };
const schema: Expected = { words: "a schema", allows: isSchema };
const names: Expected = {
  words: "a list of names of members",
  allows: (value) => isListOf(value, isText),
};

const types = ["string", "number", "integer", "boolean", "array", "object", "null"];
const typeNames: Expected = {
  words: `one of ${types.join(", ")}, or a list of them`,
  allows: (value) =>
    types.includes(value as string) || isListOf(value, (each) => types.includes(each as string)),
  readAs: (value) => {
    const unknown = (Array.isArray(value) ? (value as readonly Json[]) : [value]).find(
      (each) => !types.includes(each as string),
    );
    if (unknown === null) return 'it is read as the text "null"';
    const near = nearest(String(unknown), types);
    return near === undefined
      ? "it is read as a type of its own"
      : `it is read as a type of its own; did you mean ${near}?`;
  },
};

/** Escapes and names of classes mean different things with and without the flag. */
function isPattern(value: string): boolean {
  return ["", "u", "v"].some((flags) => {
    try {
      return new RegExp(value, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

const noPattern = (pattern: string): string =>
  `expected a regular expression of ECMAScript, got ${shownExactly(pattern)}; validators refuse it`;

/** By keyword, wherever an object has it that is no map of names. */
const byKeyword: Readonly<Record<string, Expected>> = {
  ...of(number, "minimum maximum"),
  ...of(
    {
      words: "a number, or in OpenAPI 3.0 true or false",
      allows: (value) => isNumeric(value) || typeof value === "boolean",
    },
    "exclusiveMinimum exclusiveMaximum",
  ),
  multipleOf: {
    words: "a number above 0",
    allows: (value) => isNumeric(value) && value > 0,
  },
  ...of(
    count,
    "minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties",
  ),
  ...of(
    flag,
    `uniqueItems nullable readOnly writeOnly deprecated allowEmptyValue allowReserved explode`,
  ),
  ...of(
    text,
    `pattern format contentEncoding contentMediaType operationId style $ref $dynamicRef $anchor
    $dynamicAnchor`,
  ),
  ...of(
    schema,
    `items unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then
    else contentSchema schema itemSchema`,
  ),
  ...of(
    { words: "a list of schemas", allows: (value) => isListOf(value, isSchema) },
    "allOf anyOf oneOf prefixItems",
  ),
  ...of(
    { words: "an object of schemas", allows: (value) => isMapOf(value, isSchema) },
    "properties patternProperties dependentSchemas $defs",
  ),
  dependentRequired: {
    words: "an object of lists of names",
    allows: (value) => isMapOf(value, (each) => isListOf(each, isText)),
  },
  ...of(list, "enum servers security tags"),
  ...of(map, "responses content headers links callbacks discriminator xml requestBody"),
};

function of(expected: Expected, keywords: string): Readonly<Record<string, Expected>> {
  return Object.fromEntries(keywords.split(/\s+/).map((keyword) => [keyword, expected]));
}

/** What an object is, as far as keywords depend on it. */
type Kind = "schema" | "parameter" | "message" | "scheme" | "link" | "map" | "other";

const places: Expected = {
  words: "one of query, header, path, cookie, querystring",
  allows: (value) => /^(?:query|header|path|cookie|querystring)$/.test(String(value)),
  readAs: (value) => {
    const near = nearest(String(value), ["query", "header", "path", "cookie", "querystring"]);
    return near === undefined ? undefined : `did you mean ${near}?`;
  },
};

/** Keywords that mean something else in each kind of object. */
function expectedOf(keyword: string, kind: Kind): Expected | undefined {
  switch (keyword) {
    case "required":
      if (kind === "schema") return names;
      return kind === "other" || kind === "link" ? undefined : flag;
    case "type":
      return kind === "schema" ? typeNames : undefined;
    case "in":
      return kind === "parameter" ? places : undefined;
    default:
      return Object.hasOwn(byKeyword, keyword) ? byKeyword[keyword] : undefined;
  }
}

const schemaMaps = new Set(
  "schemas properties patternProperties dependentSchemas $defs".split(" "),
);
const schemaKeys = new Set(
  `items unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then
  else contentSchema schema itemSchema allOf anyOf oneOf prefixItems`.split(/\s+/),
);

/** The kind of a member, by the kind of its parent, the own key, and that of a map above. */
function kindOf(parent: Kind, key: string, above: string, value: JsonObject): Kind {
  if (parent === "map") {
    if (schemaMaps.has(above)) return "schema";
    if (above === "headers" || above === "requestBodies") return "message";
    if (above === "securitySchemes") return "scheme";
    if (above === "links") return "link";
    return above === "parameters" ? "parameter" : "other";
  }
  if (schemaKeys.has(key)) return "schema";
  if (key === "requestBody") return "message";
  if (key === "parameters") return "parameter";
  return (maps.has(key) || key === "variables") && !Array.isArray(value) ? "map" : "other";
}

/** Values of these keywords are data, or mean nothing to the comparison. */
const skipped =
  /^(?:example|examples|default|const|enum|value|dataValue|mapping|required|scopes|security|dependentRequired|info|externalDocs|tags|x-(?!webhooks$).*)$/;

/** What a link sends: any values, or expressions. */
const dataOfLinks = new Set(["parameters", "requestBody"]);

/** The malformed keywords of a document and of what it refers to. */
export function malformedKeywords(document: LoadedDocument): readonly MalformedKeyword[] {
  const found: MalformedKeyword[] = [];
  const seen = new Set<object>();
  const stack: { readonly value: Json; readonly kind: Kind; readonly key: string }[] = [
    { value: document.root, kind: "other", key: "" },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, kind, key } = item;
    if (value === null || typeof value !== "object" || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) {
      for (const each of value as readonly Json[]) stack.push({ value: each, kind, key });
      continue;
    }
    const node = value as JsonObject;
    for (const keyword of kind === "map" ? [] : references) {
      if (typeof node[keyword] !== "string") continue;
      const target = targetOf(document, node, keyword, found);
      if (target !== undefined) stack.push({ value: target, kind, key });
    }
    for (const [name, member] of Object.entries(node)) {
      if (kind === "link" && dataOfLinks.has(name)) continue;
      if (kind !== "map") check(document, node, name, member, kind, found);
      if (member === null || typeof member !== "object") continue;
      if (kind !== "map" && skipped.test(name)) continue;
      stack.push({ value: member, kind: kindOf(kind, name, key, member as JsonObject), key: name });
    }
  }
  return [...new Map(found.map((each) => [`${each.pointer} ${each.message}`, each])).values()];
}

const references = ["$ref", "$dynamicRef"] as const;

/** Undefined, with a note, if the reference leads nowhere, which is an error only where it is used. */
function targetOf(
  document: LoadedDocument,
  node: JsonObject,
  keyword: (typeof references)[number],
  found: MalformedKeyword[],
): Json | undefined {
  try {
    return keyword === "$ref" ? document.target(node) : document.dynamicTarget(node);
  } catch (error) {
    if (!(error instanceof CannotJudge)) throw error;
    const reason = /leads nowhere$|does not lead to an object$/.exec(error.message)?.[0];
    if (reason !== undefined) {
      found.push({
        pointer: `${document.pointer(node)}/${keyword}`,
        message: `${keyword} ${shown(node[keyword])} ${reason}`,
      });
    }
    return undefined;
  }
}

function check(
  document: LoadedDocument,
  node: JsonObject,
  keyword: string,
  value: Json,
  kind: Kind,
  found: MalformedKeyword[],
): void {
  const expected = expectedOf(keyword, kind);
  if (expected === undefined) return;
  if (expected.allows(value)) {
    for (const pattern of kind === "schema" ? patternsIn(keyword, value) : []) {
      if (isPattern(pattern)) continue;
      const place = keyword === "pattern" ? keyword : `${keyword}/${escapeToken(pattern)}`;
      found.push({
        pointer: `${document.pointer(node)}/${place}`,
        message: `${keyword}: ${noPattern(pattern)}`,
      });
    }
    return;
  }
  const { words, readAs } = expected;
  const wrong = innermost(value, words);
  const keys = wrong === undefined ? [keyword] : [keyword, wrong];
  const got = wrong === undefined ? value : child(value, wrong);
  const place = keys.map(escapeToken).join("/");
  const what = wrong === undefined ? words : (itemWords[words] ?? words);
  const cure = readAs?.(value) ?? "it is ignored";
  found.push({
    pointer: `${document.pointer(node)}/${place}`,
    message: `${keys.join(".")}: expected ${what}, got ${shownExactly(got)}; ${cure}`,
  });
}

function patternsIn(keyword: string, value: Json): readonly string[] {
  if (keyword === "patternProperties") return Object.keys(value as JsonObject);
  return keyword === "pattern" && typeof value === "string" ? [value] : [];
}

/** What each item of a list or a map is to be. */
const itemWords: Readonly<Record<string, string>> = {
  "a list of schemas": "a schema",
  "an object of schemas": "a schema",
  "an object of lists of names": "a list of names",
  "a list of names of members": "the name of a member",
};

/** The item of a list or a map that is wrong, if its container is right. */
function innermost(value: Json, words: string): string | undefined {
  if (itemWords[words] === undefined || value === null || typeof value !== "object") {
    return undefined;
  }
  if (Array.isArray(value) === words.startsWith("an object")) return undefined;
  const allows = words.includes("schemas")
    ? isSchema
    : Array.isArray(value)
      ? isText
      : (each: Json) => isListOf(each, isText);
  return Object.entries(value as JsonObject).find(([, each]) => !allows(each))?.[0];
}

/** A text in quotes, because it is often a number or a truth value that was quoted. */
const shownExactly = (value: Json | undefined): string =>
  typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : shown(value);
