import type { Direction } from "../change.ts";
import { isObject, objectsOf, textOf, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { isSchema } from "../schema/own-keywords.ts";
import type { Conjunction } from "../schema/canonical.ts";
import type { SchemaReader } from "../schema/schema-reader.ts";
import type { Mode } from "../schema/compare/site.ts";
import type { OperationSite } from "./comparison.ts";
import { compareLifecycle } from "../schema/deprecation.ts";
import type { Operation, Parameter } from "./document-model.ts";
import { compareFilters } from "../schema/filters.ts";
import { removalOf } from "../schema/lifecycle.ts";

export function compareParameters(site: OperationSite, base: Operation, revision: Operation): void {
  const [own, other] = [base.parameters(), revision.parameters()];
  const all = spread(site.schemas.base, own, other);
  const others = spread(site.schemas.revision, other, own);
  for (const [key, before] of all) {
    const after = others.get(key);
    if (after === undefined && isVariable(key)) {
      compareParameter(site, before, undeclared(site.revision, revision, before));
    } else if (after === undefined) reportRemoved(site, before);
    else compareParameter(site, before, after);
  }
  for (const [key, after] of others) {
    if (all.has(key)) continue;
    if (isVariable(key)) {
      compareParameter(site, undeclared(site.base, base, after), after);
      continue;
    }
    const isRequired = after.node["required"] === true;
    site.report(
      isRequired ? "required-parameter-added" : "parameter-added",
      "request",
      `the ${isRequired ? "required" : "optional"} ${nameOf(after)} is new`,
      { revision: after.node },
    );
  }
}

type Parameters = ReadonlyMap<string, Parameter>;

/**
 * Members of an object are sent like parameters of their own: `?a=1&b=2`. An object whose members the
 * other document declares as parameters is compared by them; it may be the whole query string.
 */
function spread(reader: SchemaReader, own: Parameters, others: Parameters): Parameters {
  const spreadOut = new Map(own);
  for (const [key, parameter] of own) {
    if (others.has(key) || !sendsMembers(parameter)) continue;
    const place = parameter.in === "cookie" ? "cookie" : "query";
    const [object, ...more] = reader.canonical(schemaOf(parameter.node)).atoms;
    if (object?.type !== "object" || more.length > 0) continue;
    const members = [...object.properties];
    if (!members.some(([name]) => others.has(`${place} ${name}`))) continue;
    spreadOut.delete(key);
    for (const [name, schemas] of members) {
      const required = parameter.node["required"] === true && object.required.has(name);
      const [only, ...rest] = schemas;
      const schema = only !== undefined && rest.length === 0 ? only : { allOf: schemas };
      const node: JsonObject = { name, in: place, required, schema };
      const origin = reader.document.origins.get(parameter.node);
      if (origin !== undefined) reader.document.origins.set(node, origin);
      spreadOut.set(`${place} ${name}`, { node, name, in: place });
    }
  }
  return spreadOut;
}

function sendsMembers(parameter: Parameter): boolean {
  if (parameter.in === "query" || parameter.in === "cookie") return isRepeated(parameter);
  const { media } = serializationOf(parameter);
  return parameter.in === "querystring" && media === "application/x-www-form-urlencoded";
}

/**
 * Whether a path parameter has a position, because the path has its variable. Then every URL has a
 * value there, with and without the declaration.
 */
const isVariable = (key: string): boolean => /^path \d+$/.test(key);

/** The parameter of a variable that stands in the path, but is not declared: any text. */
function undeclared(
  { origins }: LoadedDocument,
  { item }: Operation,
  { name, node: other }: Parameter,
): Parameter {
  const schema: JsonObject = schemaOf(other).length === 0 ? {} : { type: "string" };
  const node: JsonObject = { name, in: "path", required: true, schema };
  const origin = origins.get(item);
  if (origin !== undefined) origins.set(node, origin).set(schema, origin);
  return { node, name, in: "path" };
}

const nameOf = ({ name, in: place }: Parameter): string =>
  place === "querystring" ? "query string" : `${place} parameter ${name}`;

function reportRemoved(site: OperationSite, parameter: Parameter): void {
  const removal = removalOf([parameter.node], site.today);
  site.report(
    removal?.rule ?? "parameter-removed",
    "request",
    `the ${nameOf(parameter)} was removed${removal?.because ?? ""}`,
    { base: parameter.node },
  );
}

function compareParameter(site: OperationSite, before: Parameter, after: Parameter): void {
  const at = { base: before.node, revision: after.node };
  if (site.isShared && before.node === after.node) return;
  if (before.name !== after.name && before.in === "path") {
    site.report(
      "parameter-renamed",
      "request",
      `the path parameter ${before.name} is called ${after.name} now`,
      at,
    );
  }
  const wasRequired = before.node["required"] === true || before.in === "path";
  const isRequired = after.node["required"] === true || after.in === "path";
  if (!wasRequired && isRequired) {
    site.report("parameter-became-required", "request", `the ${nameOf(after)} is required now`, at);
  }
  if (wasRequired && !isRequired) {
    site.report("parameter-became-optional", "request", `the ${nameOf(after)} is optional now`, at);
  }
  compareSerialization(site, before, after);
  compareEmptyValue(site, before, after);
  compareLifecycle("parameter", [before.node], [after.node], site.today, (rule, message) =>
    site.report(rule, "request", `${message} (${nameOf(after)})`, at),
  );
  compareFilters(site, before.node, after.node, `the ${nameOf(after)}`, (rule, message) =>
    site.report(rule, "request", message, at),
  );
  site.schemas.compare(
    site.partOf(nameOf(after)),
    schemaOf(before.node),
    schemaOf(after.node),
    {
      direction: site.directionOf("request"),
      ...(hasContent(after.node) ? {} : { textual: "parameter" as const }),
      ...listMode(before, after),
      ...(wasRequired && !site.isReversed ? { isAlwaysSent: true } : {}),
      ...([before, after].every(sendsNoEmptyList) ? { isEmptyAbsent: true } : {}),
      place: "parameter",
    },
    site.revision.pointer(after.node),
  );
}

/** Whether an empty list is written as no parameter at all, which is allowed. */
function sendsNoEmptyList(parameter: Parameter): boolean {
  const { media, style } = serializationOf(parameter);
  return (
    (parameter.in === "query" || parameter.in === "cookie") &&
    parameter.node["required"] !== true &&
    media === undefined &&
    style === "form"
  );
}

export const hasContent = (node: JsonObject): boolean => isObject(node["content"]);

/** The schema of a parameter or a header, beside it or in its only media type. */
export function schemaOf(node: JsonObject): Conjunction {
  const { schema, content } = node;
  if (isSchema(schema)) return [schema];
  const [media] = objectsOf(content);
  const inner = media?.[1]["schema"];
  return isSchema(inner) ? [inner] : [];
}

/** How both documents write lists, if a single value is written like a list of one. */
export function listMode(before: Parameter, after: Parameter): Pick<Mode, "list"> {
  if ([before, after].every(isRepeated)) return { list: "apart" };
  const [base, revision] = [serializationOf(before), serializationOf(after)];
  const isJoined = [base, revision].every(
    ({ media, style }) => media === undefined && style !== "deepObject",
  );
  return isJoined && base.style === revision.style && base.explode === revision.explode
    ? { list: "joined" }
    : {};
}

/** `?a=1&a=2` */
function isRepeated(parameter: Parameter): boolean {
  const { media, style, explode } = serializationOf(parameter);
  return media === undefined && style === "form" && explode;
}

interface Serialization {
  readonly media: string | undefined;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

function serializationOf({ node, in: place }: Parameter): Serialization {
  const style =
    textOf(node["style"]) ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const explode = typeof node["explode"] === "boolean" ? node["explode"] : style === "form";
  return {
    media: hasContent(node)
      ? Object.keys(node["content"] as JsonObject)[0]?.toLowerCase()
      : undefined,
    style,
    explode,
    allowReserved: node["allowReserved"] === true,
  };
}

/** Compares how a parameter, or a header of a response, is written. */
export function compareSerialization(
  site: OperationSite,
  before: Parameter,
  after: Parameter,
  part: Direction = "request",
  name = nameOf(after),
): void {
  const [base, revision] = [serializationOf(before), serializationOf(after)];
  const at = { base: before.node, revision: after.node };
  const report = (words: string) =>
    site.report("parameter-serialization-changed", part, `the ${name} ${words}`, at);
  if (base.media !== revision.media) {
    report(`was written as ${base.media ?? "text"} and is ${revision.media ?? "text"} now`);
    return;
  }
  if (base.media !== undefined) return;
  // Compares the serialisation that a conforming client uses.
  const types =
    site.directionOf(part) === "request"
      ? structuresOf(site.schemas.base, before.node)
      : structuresOf(site.schemas.revision, after.node);
  const isStructured = types.size > 0;
  if (base.style !== revision.style && (isStructured || !isPlain(base) || !isPlain(revision))) {
    report(`had the style ${base.style} and has ${revision.style} now`);
  } else if (base.explode !== revision.explode && isExplodeSeen(base, types)) {
    report(revision.explode ? "is exploded now" : "is no longer exploded");
  }
  if (base.allowReserved && !revision.allowReserved) {
    report("no longer takes reserved characters as they are");
  }
}

/** These styles serialise a single value in the same way. */
const isPlain = ({ style }: Serialization): boolean =>
  ["form", "simple", "cookie", "spaceDelimited", "pipeDelimited", "deepObject"].includes(style);

/** Lists of the style `simple` are written with and without `explode` in one way; `deepObject` has one. */
const isExplodeSeen = ({ style }: Serialization, types: ReadonlySet<string>): boolean =>
  style === "simple" ? types.has("object") : style !== "deepObject" && types.size > 0;

/** A list of at most one item is written like a single value. */
const structuresOf = (reader: SchemaReader, node: JsonObject): ReadonlySet<string> =>
  new Set(
    reader
      .canonical(schemaOf(node))
      .atoms.flatMap((atom) =>
        (atom.type === "array" && atom.maxItems > 1) || atom.type === "object" ? [atom.type] : [],
      ),
  );

function compareEmptyValue(site: OperationSite, before: Parameter, after: Parameter): void {
  const at = { base: before.node, revision: after.node };
  const was = before.node["allowEmptyValue"] === true;
  const is = after.node["allowEmptyValue"] === true;
  if (was && !is) {
    site.report("empty-value-forbidden", "request", `the ${nameOf(after)} needs a value now`, at);
  } else if (!was && is) {
    site.report("empty-value-allowed", "request", `the ${nameOf(after)} may be empty now`, at);
  }
}
