import type { Direction } from "../change.ts";
import { isObject, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { isAny, type Conjunction, type SchemaNode } from "../schema/canonical.ts";
import { isSchema } from "../schema/own-keywords.ts";
import type { SchemaReader } from "../schema/schema-reader.ts";
import { isRaw } from "../schema/compare/compare-schemas.ts";
import type { Mode } from "../schema/compare/site.ts";
import { isOpen } from "../schema/simplify.ts";
import { partName, type OperationSite } from "./comparison.ts";
import { compareEncoding, partsOf } from "./encoding.ts";
import {
  covers,
  essence,
  isRelated,
  normalName,
  suffixOf,
  verdictOfParameters,
  type Media,
} from "./media-types.ts";

/**
 * Compares the media types of a body. `owner` is the object with `content`; `words` is its name in
 * messages.
 */
export function compareContent(
  site: OperationSite,
  part: Direction,
  words: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  const before = mediaOf(base["content"]);
  const after = mediaOf(revision["content"]);
  const leftBefore: Media[] = [];
  const leftAfter = new Map(after);
  for (const [key, media] of before) {
    const other = after.get(key);
    if (other === undefined) leftBefore.push(media);
    else {
      leftAfter.delete(key);
      compareMedia(site, part, words, media, other);
    }
  }
  for (const media of leftBefore) {
    const match = [...leftAfter].find(([, other]) => isRelated(media.name, other.name));
    if (match === undefined) {
      site.report("media-type-removed", part, `${words} is no longer ${media.name}`, {
        base: media.node,
      });
      continue;
    }
    const [key, other] = match;
    leftAfter.delete(key);
    compareNames(site, part, words, media, other);
    compareMedia(site, part, words, media, other);
  }
  for (const media of leftAfter.values()) {
    if ([...before.values()].some(({ name }) => covers(name, media.name))) continue;
    // Who answers a webhook without a body has to send one now.
    const isFirst =
      part === "response" && site.directionOf(part) === "request" && before.size === 0;
    site.report(
      "media-type-added",
      part,
      isFirst
        ? `${words} is ${media.name} now, there was none`
        : `${words} may also be ${media.name}`,
      { revision: media.node },
      isFirst ? "major" : undefined,
    );
  }
}

/** By name, in lower case and with sorted parameters. */
function mediaOf(content: Json | undefined): ReadonlyMap<string, Media> {
  return new Map(objectsOf(content).map(([name, node]) => [normalName(name), { name, node }]));
}

function compareNames(
  site: OperationSite,
  part: Direction,
  words: string,
  before: Media,
  after: Media,
): void {
  const values = { base: before.name, revision: after.name };
  const at = { base: before.node, revision: after.node, values };
  const text = `${words} was ${before.name} and is ${after.name} now`;
  const direction = site.directionOf(part);
  if (essence(before.name) === essence(after.name)) {
    const verdict = verdictOfParameters(direction, before.name, after.name);
    site.report("media-type-name-changed", part, text, at, verdict);
  } else if (covers(after.name, before.name)) {
    site.report("media-type-generalized", part, text, at);
  } else if (suffixOf(before.name) === essence(after.name)) {
    // A server that expects JSON refuses a type derived from it, or takes it for something else.
    site.report("media-type-generalized", part, text, at, "major");
  } else {
    // Clients that ask for JSON, or look for it, do not find a type that is derived from it.
    const isDerived = suffixOf(after.name) === essence(before.name);
    site.report("media-type-specialized", part, text, at, isDerived ? "major" : undefined);
  }
}

/** How a body of a media type is written. */
function modeOf(site: OperationSite, before: Media, after: Media): Partial<Mode> {
  const types = [before, after].map(({ name }) => essence(name));
  if (types.every((type) => /[/+]xml$/.test(type))) {
    return {
      xml: {
        base: rootName(site.base, before) ?? "",
        revision: rootName(site.revision, after) ?? "",
      },
    };
  }
  if (types.every((type) => type === "application/x-www-form-urlencoded")) {
    return { textual: "members", parts: partsOf(site, before, after) };
  }
  if (types.every((type) => type === "multipart/form-data")) {
    return { raw: "members", textual: "members", parts: partsOf(site, before, after) };
  }
  if (types.every((type) => type.startsWith("multipart/"))) return { raw: "members" };
  const isRead = types.some((type) => /json|yaml|^text\/|form-urlencoded|\*/.test(type));
  return isRead ? {} : { raw: "value" };
}

/** The name of the component that the body is. */
function rootName(document: LoadedDocument, { node }: Media): string | undefined {
  const { schema } = node;
  if (!isObject(schema) || typeof schema["$ref"] !== "string") return undefined;
  return document.nameOf(document.target(schema) as JsonObject);
}

function compareMedia(
  site: OperationSite,
  part: Direction,
  words: string,
  before: Media,
  after: Media,
): void {
  const base = schemasOf(site.schemas.base, before);
  const revision = schemasOf(site.schemas.revision, after);
  const at = { base: before.node, revision: after.node };
  compareEncoding(site, part, words, before, after);
  const [wasDeclared, isDeclared] = [base.length > 0, revision.length > 0];
  if (!wasDeclared && !isDeclared) return;
  const direction = site.directionOf(part);
  const mode = { direction, ...modeOf(site, before, after) };
  if (wasDeclared && isDeclared) {
    const pointer = site.revision.pointer(after.node);
    const node = site.partOf(partName(words));
    site.schemas.compare(node, base, revision, mode, pointer);
    return;
  }
  const [reader, declared] = isDeclared
    ? [site.schemas.revision, revision]
    : [site.schemas.base, base];
  // A schema that allows everything says as much as none.
  const { open, atoms, ...canonical } = reader.canonical(declared);
  if (isAny({ ...canonical, atoms }) && open !== true && atoms.every(isOpen)) return;
  // In OpenAPI 3.1, bytes have no schema.
  if (mode.raw === "value" && isRaw(reader, declared)) return;
  if (isDeclared) {
    site.report("media-type-schema-added", part, `${words} has a schema now`, at);
  } else site.report("media-type-schema-removed", part, `${words} no longer has a schema`, at);
}

/** Types of a sequence of items, which OpenAPI reads as a list. */
const sequences =
  /^(?:text\/event-stream|application\/(?:x-)?(?:jsonl|ndjson|json-lines|jsonlines|json-seq)|.*\+json-seq)$/;

const lists = new WeakMap<JsonObject, SchemaNode>();

/**
 * The schemas of a body. `itemSchema` is the schema of each item of a sequence, as `items` is of a list.
 * Before OpenAPI 3.2, authors wrote the schema of an item as that of the sequence; one that is a text
 * says nothing of the items.
 */
function schemasOf(reader: SchemaReader, { name, node }: Media): Conjunction {
  const { schema, itemSchema } = node;
  const whole = isSchema(schema) ? [schema] : [];
  const each = isSchema(itemSchema) ? [listOfItems(reader, node, itemSchema)] : [];
  if (!isSchema(schema) || !sequences.test(essence(name))) return [...whole, ...each];
  const types = new Set(reader.canonical(whole).atoms.map(({ type }) => type));
  if (types.has("array")) return [...whole, ...each];
  return types.has("string") ? each : [listOfItems(reader, node, schema), ...each];
}

function listOfItems({ document }: SchemaReader, media: JsonObject, items: SchemaNode): SchemaNode {
  const key = isObject(items) ? items : media;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: JsonObject = { type: "array", items };
  const origin = document.origins.get(media);
  if (origin !== undefined) document.origins.set(list, origin);
  lists.set(key, list);
  return list;
}
