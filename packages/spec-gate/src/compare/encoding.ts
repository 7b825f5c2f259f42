import type { Direction, Sides, Verdict } from "../change.ts";
import { canonicalText, isObject, listOf, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { Atom, Conjunction } from "../schema/canonical.ts";
import type { Mode } from "../schema/compare/site.ts";
import { childOf } from "../schema/members.ts";
import { isSchema } from "../schema/own-keywords.ts";
import type { SchemaReader } from "../schema/schema-reader.ts";
import type { OperationSite } from "./comparison.ts";
import { compareHeaders } from "./headers.ts";
import { covers, essence, normalName, type Media } from "./media-types.ts";

/** Only forms have encodings: those of other bodies are ignored. */
type Form = "urlencoded" | "form-data" | "multipart";

function formOf({ name }: Media): Form | undefined {
  const type = essence(name);
  if (type === "application/x-www-form-urlencoded") return "urlencoded";
  if (type === "multipart/form-data") return "form-data";
  return type.startsWith("multipart/") ? "multipart" : undefined;
}

/** How a member of a form is written. */
interface Encoding {
  /** The media types of the part; undefined for the default. */
  readonly types: readonly string[] | undefined;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly node: JsonObject;
}

function encodingOf(document: LoadedDocument, media: Media, name: string): Encoding {
  const { encoding } = media.node;
  const own = isObject(encoding) ? encoding[name] : undefined;
  const node = isObject(own) ? own : {};
  const form = formOf(media);
  // Since OpenAPI 3.1 the style also counts for form data.
  const hasStyle = form === "urlencoded" || (form === "form-data" && document.version !== "3.0");
  const { contentType } = node;
  const { style, explode, allowReserved }: JsonObject = hasStyle ? node : {};
  const isStyled = [style, explode, allowReserved].some((each) => each !== undefined);
  // The style replaces the type, except in OpenAPI 3.0.
  const isTyped = typeof contentType === "string" && !(isStyled && document.version !== "3.0");
  const shape = typeof style === "string" ? style : "form";
  return {
    types: isTyped ? contentType.split(",").map((type) => normalName(type.trim())) : undefined,
    style: shape,
    explode: typeof explode === "boolean" ? explode : shape === "form",
    allowReserved: allowReserved === true,
    node,
  };
}

/** The names of members that one of the documents describes an encoding of. */
const namesOf = (before: Media, after: Media): ReadonlySet<string> =>
  new Set([before, after].flatMap(({ node }) => objectsOf(node["encoding"]).map(([name]) => name)));

/** How the members of a form are written; by default lists are repeated members. */
export function partsOf(
  site: OperationSite,
  before: Media,
  after: Media,
): NonNullable<Mode["parts"]> {
  const parts: Record<string, "joined" | "other" | "json"> = {};
  for (const name of namesOf(before, after)) {
    const [base, revision] = [
      encodingOf(site.base, before, name),
      encodingOf(site.revision, after, name),
    ];
    const both = [base, revision];
    if (both.every(({ types }) => types?.every((type) => /[/+]json$/.test(essence(type))))) {
      parts[name] = "json";
    } else if (both.every(({ style, explode }) => style === "form" && explode)) continue;
    else if (base.style !== revision.style || base.explode !== revision.explode) {
      parts[name] = "other";
    } else parts[name] = base.style === "deepObject" ? "other" : "joined";
  }
  return parts;
}

/** Compares the encodings of the members of a form. */
export function compareEncoding(
  site: OperationSite,
  part: Direction,
  words: string,
  before: Media,
  after: Media,
): void {
  const form = formOf(after);
  if (form === undefined && formOf(before) === undefined) return;
  const properties = propertyNames(site, before.node, after.node);
  for (const name of namesOf(before, after)) {
    if (properties !== undefined && !properties.has(name)) continue;
    const [base, revision] = [
      encodingOf(site.base, before, name),
      encodingOf(site.revision, after, name),
    ];
    compareMember(site, part, words, { name, base, revision }, [before, after]);
    if (form === "urlencoded") continue;
    compareHeaders(
      site,
      part,
      { rules: "part-header", of: `the part ${name}` },
      headersOf(base, before),
      headersOf(revision, after),
    );
  }
  comparePositions(site, part, words, before, after);
}

/** The object with the headers of a part; that of the body if it describes none. */
const headersOf = ({ node }: Encoding, media: Media) => ({
  headers: node["headers"],
  at: isObject(node["headers"]) ? node : media.node,
});

function compareMember(
  site: OperationSite,
  part: Direction,
  words: string,
  { name, base, revision }: { readonly name: string } & Sides<Encoding>,
  [before, after]: readonly [Media, Media],
): void {
  const report = (what: string, values: Sides<Json>, verdict?: Verdict): void =>
    site.report(
      "encoding-changed",
      part,
      `the ${what} of ${name} in ${words} was ${textOf(values.base)} and is ${textOf(values.revision)} now`,
      { base: before.node, revision: after.node, values },
      verdict,
    );
  const schemas = {
    base: memberSchema(site.schemas.base, before.node["schema"], name),
    revision: memberSchema(site.schemas.revision, after.node["schema"], name),
  };
  compareTypes(site, part, base, revision, schemas, report);
  const isStructured = [
    ...site.schemas.base.canonical(schemas.base).atoms,
    ...site.schemas.revision.canonical(schemas.revision).atoms,
  ].some(({ type }) => type === "array" || type === "object");
  const shapeOf = ({ style, explode }: Encoding): Json => ({ style, explode });
  const isOther = base.style !== revision.style || base.explode !== revision.explode;
  if (isStructured && isOther) {
    report("style", { base: shapeOf(base), revision: shapeOf(revision) });
  }
  if (base.allowReserved && !revision.allowReserved) {
    report("allowReserved", { base: true, revision: false });
  }
}

const textOf = (value: Json): string => (typeof value === "string" ? value : canonicalText(value));

function compareTypes(
  site: OperationSite,
  part: Direction,
  base: Encoding,
  revision: Encoding,
  schemas: Sides<Conjunction>,
  report: (what: string, values: Sides<Json>, verdict?: Verdict) => void,
): void {
  // The default follows the schema, whose change is reported by itself.
  const defaults = [
    defaultType(site.schemas.base, schemas.base),
    defaultType(site.schemas.revision, schemas.revision),
  ];
  const isDefault = ({ types }: Encoding): boolean =>
    types === undefined || (types.length === 1 && defaults.includes(types[0]));
  if (isDefault(base) && isDefault(revision)) return;
  const typesOf = ({ types }: Encoding, byDefault: string | undefined) =>
    types ?? (byDefault === undefined ? ["the default"] : [byDefault]);
  const [was, is] = [typesOf(base, defaults[0]), typesOf(revision, defaults[1])];
  const isWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
    narrow.every((type) => wide.some((range) => includes(range, type)));
  const [isNarrower, isWider] = [isWithin(is, was), isWithin(was, is)];
  if (isNarrower && isWider) return;
  const isRequest = site.directionOf(part) === "request";
  const verdict = isWider && isRequest ? "minor" : isNarrower && !isRequest ? "patch" : undefined;
  const text = (types: readonly string[]): string => types.toSorted().join(", ");
  report("media type", { base: text(was), revision: text(is) }, verdict);
}

const includes = (range: string, type: string): boolean =>
  range === type || (!range.includes(";") && covers(range, type));

function memberSchema(reader: SchemaReader, schema: Json | undefined, name: string): Conjunction {
  if (!isSchema(schema)) return [];
  const [object] = reader.canonical([schema]).atoms.filter((atom) => atom.type === "object");
  return object === undefined ? [] : childOf(object, name);
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

/** The type of a part of a form, by its schema; undefined if that depends on the value. */
function defaultType(reader: SchemaReader, member: Conjunction): string | undefined {
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
  const types = new Set(reader.canonical(member).atoms.flatMap(typeOf));
  return types.size === 1 ? [...types][0] : undefined;
}

/** The non-default members of an encoding, as text. */
function encodingText(document: LoadedDocument, node: JsonObject): string {
  const { contentType, style, explode, allowReserved } = node;
  const declared = Object.entries({
    contentType:
      typeof contentType === "string"
        ? contentType
            .split(",")
            .map((type) => normalName(type.trim()))
            .toSorted()
        : contentType,
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
