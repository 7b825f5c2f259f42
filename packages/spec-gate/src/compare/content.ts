import type { Direction, Verdict } from "../change.ts";
import { canonicalText, isObject, listOf, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { Atom, Conjunction, SchemaNode } from "../schema/canonical.ts";
import { childOf } from "../schema/members.ts";
import { isSchema } from "../schema/own-keywords.ts";
import type { SchemaReader } from "../schema/schema-reader.ts";
import { isRaw } from "../schema/compare/compare-schemas.ts";
import type { Mode } from "../schema/compare/site.ts";
import { partName, type OperationSite } from "./comparison.ts";

interface Media {
  readonly name: string;
  readonly node: JsonObject;
}

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
    site.report("media-type-added", part, `${words} may also be ${media.name}`, {
      revision: media.node,
    });
  }
}

/** By name, in lower case and with sorted parameters. */
function mediaOf(content: Json | undefined): ReadonlyMap<string, Media> {
  return new Map(objectsOf(content).map(([name, node]) => [normalName(name), { name, node }]));
}

function normalName(name: string): string {
  const [type = "", ...parameters] = name.split(";").map((each) => each.trim().toLowerCase());
  return [type, ...parameters.map(unquoted).toSorted()].join(";");
}

const unquoted = (parameter: string): string => parameter.replace(/="([^"\\]*)"$/, "=$1");

const essence = (name: string): string => name.split(";")[0]?.trim().toLowerCase() ?? "";

/** Whether the first name is a range that includes the second. */
function covers(range: string, name: string): boolean {
  const [wide, narrow] = [essence(range), essence(name)];
  if (wide === "*/*" || wide === "*") return true;
  if (wide.endsWith("/*")) return narrow.startsWith(wide.slice(0, -1));
  // A base format matches the formats derived from it: application/json for …/x+json.
  return wide === narrow;
}

const isRelated = (left: string, right: string): boolean =>
  covers(left, right) ||
  covers(right, left) ||
  suffixOf(left) === essence(right) ||
  suffixOf(right) === essence(left);

/** `application/problem+json` → `application/json`. */
const suffixOf = (name: string): string | undefined => {
  const suffix = /^(\w+)\/.+\+(\w+)$/.exec(essence(name));
  return suffix === null ? undefined : `${suffix[1]}/${suffix[2]}`;
};

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

/** Parameters that say what a body means. JSON is always UTF-8, other types are if nothing else is said. */
function parametersOf(name: string): ReadonlyMap<string, string> {
  const parameters = new Map([["charset", "utf-8"]]);
  for (const each of name.split(";").slice(1)) {
    const [key = "", ...value] = each.trim().toLowerCase().split("=");
    parameters.set(key, value.join("=").replaceAll('"', ""));
  }
  parameters.delete("boundary");
  if (essence(name).endsWith("json")) parameters.delete("charset");
  return parameters;
}

/**
 * What other parameters of a media type, such as the version, mean. A type with a parameter is a part of
 * the type without it, and has nothing in common with one that has another value.
 */
function verdictOfParameters(direction: Direction, before: string, after: string): Verdict {
  const [base, revision] = [parametersOf(before), parametersOf(after)];
  const has = (of: ReadonlyMap<string, string>, [key, value]: readonly [string, string]) =>
    of.get(key) === value;
  const lost = [...base].filter((each) => !has(revision, each));
  const gained = [...revision].filter((each) => !has(base, each));
  if (lost.length > 0 && gained.length > 0) return "major";
  if (lost.length > 0) return direction === "response" ? "major" : "minor";
  return gained.length > 0 && direction === "request" ? "major" : "patch";
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
    return { textual: "members" };
  }
  if (types.every((type) => type === "multipart/form-data")) {
    return { raw: "members", textual: "members" };
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
  // In OpenAPI 3.1, bytes have no schema.
  const isBytes = isDeclared
    ? isRaw(site.schemas.revision, revision)
    : isRaw(site.schemas.base, base);
  if (mode.raw === "value" && isBytes) return;
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

function compareEncoding(
  site: OperationSite,
  part: Direction,
  words: string,
  before: Media,
  after: Media,
): void {
  const { base: reader, revision: otherReader } = site.schemas;
  // The default follows the schema, whose change is reported by itself.
  const defaultsOf = (name: string): ReadonlySet<string | undefined> =>
    new Set([
      defaultType(reader, before.node["schema"], name),
      defaultType(otherReader, after.node["schema"], name),
    ]);
  const base = encodingsOf(site.base, before.node, defaultsOf);
  const revision = encodingsOf(site.revision, after.node, defaultsOf);
  for (const name of new Set([...base.keys(), ...revision.keys()])) {
    const properties = propertyNames(site, before.node, after.node);
    if (properties !== undefined && !properties.has(name)) continue;
    const [was, is] = [base.get(name) ?? "{}", revision.get(name) ?? "{}"];
    if (was === is) continue;
    site.report(
      "encoding-changed",
      part,
      `the encoding of ${name} in ${words} was ${was} and is ${is} now`,
      {
        base: before.node,
        revision: after.node,
        values: { base: JSON.parse(was) as Json, revision: JSON.parse(is) as Json },
      },
    );
  }
  comparePositions(site, part, words, before, after);
}

/** Compares the encodings of parts that have positions instead of names. */
function comparePositions(
  site: OperationSite,
  part: Direction,
  words: string,
  before: Media,
  after: Media,
): void {
  // A sequence whose parts were not described had no other encoding either.
  const hasParts = ({ node }: Media): boolean =>
    [node["itemSchema"], node["itemEncoding"], node["prefixEncoding"]].some(
      (member) => member !== undefined,
    );
  if (!hasParts(before) || !hasParts(after)) return;
  const textsOf = (document: LoadedDocument, { node }: Media) => {
    const { prefixEncoding, itemEncoding } = node;
    const each = isObject(itemEncoding) ? encodingText(document, itemEncoding) : "{}";
    const prefix = listOf(prefixEncoding).map((encoding) =>
      isObject(encoding) ? encodingText(document, encoding) : each,
    );
    return { prefix, each };
  };
  const [base, revision] = [textsOf(site.base, before), textsOf(site.revision, after)];
  const count = Math.max(base.prefix.length, revision.prefix.length);
  for (let index = 0; index <= count; index++) {
    const [was, is] = [base.prefix[index] ?? base.each, revision.prefix[index] ?? revision.each];
    if (was === is) continue;
    const which = index === count ? "other parts" : `part ${index + 1}`;
    const text = `the encoding of ${which} in ${words} was ${was} and is ${is} now`;
    site.report("encoding-changed", part, text, { base: before.node, revision: after.node });
  }
}

/** Members that both documents have; others are reported as added or removed. */
function propertyNames(
  site: OperationSite,
  base: JsonObject,
  revision: JsonObject,
): ReadonlySet<string> | undefined {
  const [before, after] = [base["schema"], revision["schema"]];
  if (!isSchema(before) || !isSchema(after)) return undefined;
  const names = (atoms: readonly { type: string; properties?: ReadonlyMap<string, unknown> }[]) =>
    new Set(atoms.flatMap(({ properties }) => [...(properties?.keys() ?? [])]));
  const inBase = names(site.schemas.base.canonical([before]).atoms);
  const inRevision = names(site.schemas.revision.canonical([after]).atoms);
  return new Set([...inBase].filter((name) => inRevision.has(name)));
}

/** Media types in one order; undefined if they are the default. */
function typesOf(
  contentType: Json | undefined,
  byDefault: ReadonlySet<string | undefined>,
): Json | undefined {
  if (typeof contentType !== "string") return contentType;
  const types = contentType.split(",").map(normalName);
  const text = types.toSorted().join(", ");
  return byDefault.has(text) ? undefined : text;
}

/** The type of a part of a form, by its schema; undefined if that depends on the value. */
function defaultType(
  reader: SchemaReader,
  schema: Json | undefined,
  name: string,
): string | undefined {
  if (!isSchema(schema)) return undefined;
  const typeOf = (atom: Atom): readonly string[] => {
    if (atom.type === "object") return ["application/json"];
    if (atom.type === "array") {
      return reader
        .canonical(atom.rest)
        .atoms.flatMap((item) => (item.type === "array" ? ["application/json"] : typeOf(item)));
    }
    return atom.type === "string" && (atom.formats.includes("binary") || atom.contentEncoding)
      ? ["application/octet-stream"]
      : ["text/plain"];
  };
  const members = reader
    .canonical([schema])
    .atoms.flatMap((atom) => (atom.type === "object" ? [childOf(atom, name)] : []));
  const types = new Set(members.flatMap((each) => reader.canonical(each).atoms.flatMap(typeOf)));
  return types.size === 1 ? [...types][0] : undefined;
}

/** The non-default members of encodings, as text. */
function encodingsOf(
  document: LoadedDocument,
  { encoding }: JsonObject,
  defaultsOf: (name: string) => ReadonlySet<string | undefined>,
): Map<string, string> {
  return new Map(
    objectsOf(encoding).map(([name, node]) => [
      name,
      encodingText(document, node, defaultsOf(name)),
    ]),
  );
}

function encodingText(
  document: LoadedDocument,
  node: JsonObject,
  byDefault: ReadonlySet<string | undefined> = new Set(),
): string {
  const { contentType, style, explode, allowReserved } = node;
  const declared = Object.entries({
    contentType: typesOf(contentType, byDefault),
    style: style === "form" ? undefined : style,
    explode: explode === (style === undefined || style === "form") ? undefined : explode,
    allowReserved: allowReserved === false ? undefined : allowReserved,
    headers:
      isObject(node["headers"]) && Object.keys(node["headers"]).length > 0
        ? objectsOf(node["headers"])
            .map(([header, value]): readonly [string, boolean] => [
              header.toLowerCase(),
              document.resolve(value)["required"] === true,
            ])
            .toSorted(([left], [right]) => (left < right ? -1 : 1))
        : undefined,
  }).filter(([, value]) => value !== undefined);
  return canonicalText(Object.fromEntries(declared) as JsonObject);
}
