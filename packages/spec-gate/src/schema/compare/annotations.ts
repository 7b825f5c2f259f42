import { difference } from "../../difference.ts";
import { compareFilters } from "../filters.ts";
import { canonicalText, isObject, listOf, shown, type Json, type JsonObject } from "../../json.ts";
import type { Conjunction } from "../canonical.ts";
import { numericOf } from "../../numeric.ts";
import type { SchemaReader } from "../schema-reader.ts";
import type { Site } from "./site.ts";

/** Compares the annotations of schemas, which allow and forbid no values. */
export function compareAnnotations(site: Site, base: Conjunction, revision: Conjunction): void {
  const before = site.base.outer(base);
  const after = site.revision.outer(revision);
  compareDefault(
    site,
    sent(site, typed(site.base, base, first(before, "default"))),
    sent(site, typed(site.revision, revision, first(after, "default"))),
  );
  compareExtensible(site, first(before, "x-extensible-enum"), first(after, "x-extensible-enum"));
  compareDeprecation(site, before, after);
  compareDiscriminators(site, before, after);
  compareXml(site, before, after);
  const [baseFilter, revisionFilter] = [filterNode(before), filterNode(after)];
  if (baseFilter !== revisionFilter && site.mode.direction === "request") {
    const documents = { base: site.base.document, revision: site.revision.document };
    compareFilters(documents, baseFilter, revisionFilter, "the member", site.report);
  }
}

/** How a value is written in a body of XML. */
function compareXml(
  site: Site,
  base: readonly JsonObject[],
  revision: readonly JsonObject[],
): void {
  const { xml: names } = site.mode;
  if (names === undefined) return;
  const [before, after] = [xmlOf(base, names.base), xmlOf(revision, names.revision)];
  for (const [member, was] of Object.entries(before)) {
    const is = after[member];
    // The name of an element that is no component and declares none is not known.
    if (is === was || (member === "name" && (is === "" || was === ""))) continue;
    site.report("xml-changed", `${member} in XML was ${shown(was)} and is ${shown(is)} now`, {
      values: { base: was, ...(is === undefined ? {} : { revision: is }) },
    });
  }
}

function xmlOf(nodes: readonly JsonObject[], byDefault: string): Readonly<Record<string, Json>> {
  const xml = first(nodes, "xml");
  const { name, attribute, wrapped, prefix, namespace, nodeType } = isObject(xml) ? xml : none;
  const isList = nodes.some(({ type }) => type === "array");
  // OpenAPI 3.2 replaced the two flags by a type.
  const byFlags =
    attribute === true ? "attribute" : isList && wrapped !== true ? "none" : "element";
  const type = nodeType ?? byFlags;
  return {
    name: name ?? byDefault,
    attribute: type === "attribute",
    wrapped: isList && type === "element",
    text: type === "text" || type === "cdata",
    nodeType: !isList && type === "none" ? type : "",
    prefix: prefix ?? "",
    namespace: namespace ?? "",
  };
}

const none: JsonObject = {};

const filterNode = (nodes: readonly JsonObject[]): JsonObject =>
  nodes.find((node) => "x-fql" in node) ?? none;

const first = (nodes: readonly JsonObject[], keyword: string): Json | undefined =>
  nodes.find((node) => Object.hasOwn(node, keyword))?.[keyword];

/**
 * The default, converted to the type of its schema: YAML reads unquoted text as a number or
 * boolean.
 */
function typed(reader: SchemaReader, schema: Conjunction, value: Json | undefined) {
  if (value === undefined || value === null || typeof value === "object") return value;
  const types = new Set(reader.canonical(schema).atoms.map(({ type }) => type));
  if (types.size !== 1) return value;
  if (types.has("string")) return String(value);
  if (types.has("number") && typeof value === "string" && value.trim() !== "") {
    const number = numericOf(value);
    return Number.isNaN(number) ? value : number;
  }
  return types.has("boolean") && (value === "true" || value === "false") ? value === "true" : value;
}

/** The text of a default of a parameter; a null is never sent. */
function sent({ mode }: Site, value: Json | undefined): Json | undefined {
  if (mode.textual !== "parameter") return value;
  if (value === null) return undefined;
  return typeof value === "object" || value === undefined ? value : String(value);
}

/** Whether one value is a list that contains only the other one. */
function isListOfOne(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  return (
    canonicalText([left]) === canonicalText(right) || canonicalText(left) === canonicalText([right])
  );
}

function compareDefault(site: Site, base: Json | undefined, revision: Json | undefined): void {
  if (canonicalText(base) === canonicalText(revision)) return;
  if (site.mode.list !== undefined && isListOfOne(base, revision)) return;
  const { place, direction, isAlwaysSent = false } = site.mode;
  const patch = isAlwaysSent ? ({ verdict: "patch" } as const) : {};
  if (base === undefined) {
    const isParameter = place === "parameter" && direction === "request";
    // Omitting a parameter changes the behaviour of the whole operation.
    const at = isParameter && !isAlwaysSent ? ({ verdict: "major" } as const) : {};
    site.report("default-added", `the default is ${shown(revision)} now, there was none`, at);
  } else if (revision === undefined) {
    site.report("default-removed", `the default ${shown(base)} was removed`, patch);
  } else {
    const words = `the default was ${shown(base)} and is ${shown(revision)} now`;
    site.report("default-changed", words, patch);
  }
}

function compareExtensible(site: Site, base: Json | undefined, revision: Json | undefined): void {
  if (base === undefined || revision === undefined) return;
  const textsOf = (values: Json): ReadonlySet<string> => new Set(listOf(values).map(canonicalText));
  const [before, after] = [textsOf(base), textsOf(revision)];
  for (const value of difference(before, after)) {
    site.report("extensible-enum-value-removed", `${value} was removed from x-extensible-enum`);
  }
  for (const value of difference(after, before)) {
    site.report("extensible-enum-value-added", `${value} was added to x-extensible-enum`);
  }
}

function compareDeprecation(
  site: Site,
  base: readonly JsonObject[],
  revision: readonly JsonObject[],
): void {
  if (site.mode.place === "parameter") return;
  site.deprecation(base, revision);
}

function compareDiscriminators(
  site: Site,
  base: readonly JsonObject[],
  revision: readonly JsonObject[],
): void {
  const before = discriminatorOf(site.base, base);
  const after = discriminatorOf(site.revision, revision);
  if (before === undefined && after === undefined) return;
  if (before === undefined || after === undefined) {
    if (before === undefined) {
      site.report("discriminator-added", `${after?.property} says which alternative a value is`);
    } else {
      site.report(
        "discriminator-removed",
        `${before.property} no longer says which alternative a value is`,
      );
    }
    return;
  }
  if (before.property !== after.property) {
    site.report(
      "discriminator-changed",
      `the discriminator was ${before.property} and is ${after.property} now`,
    );
  }
  const added = [...after.mapping.keys()].filter((value) => !before.mapping.has(value));
  const isLost = [...before.mapping.keys()].some((value) => !after.mapping.has(value));
  // A value that took the place of another is one that readers cannot decode.
  const at = isLost && added.length > 0 && site.mode.direction === "response" ? major : {};
  for (const [value, target] of before.mapping) {
    const now = after.mapping.get(value);
    if (now === undefined) {
      site.report("discriminator-value-removed", `the discriminator no longer has ${value}`, {
        ...at,
        values: { base: value },
      });
    } else if (now !== target && after.targets.has(target) && before.targets.has(now)) {
      site.report(
        "discriminator-value-changed",
        `the discriminator's ${value} selected ${target} and now selects ${now}`,
      );
    }
  }
  for (const value of added) {
    site.report("discriminator-value-added", `the discriminator now also has ${value}`, {
      values: { revision: value },
    });
  }
  compareOtherwise(site, before, after);
  for (const [value, child] of before.children) {
    const other = after.children.get(value);
    if (other !== undefined) site.descend([child], [other]);
  }
}

/** Compares what values that the discriminator does not have select. */
function compareOtherwise(site: Site, before: Discriminator, after: Discriminator): void {
  const [was, is] = [before.otherwise, after.otherwise];
  if (was === is) return;
  const others = "values that the discriminator does not have";
  if (was === undefined) {
    site.report("discriminator-value-added", `${others} select ${is} now`);
  } else if (is === undefined) {
    site.report("discriminator-value-removed", `${others} no longer select ${was}`);
  } else if (after.targets.has(was) && before.targets.has(is)) {
    site.report("discriminator-value-changed", `${others} selected ${was} and now select ${is}`);
  }
}

const major = { verdict: "major" } as const;

interface Discriminator {
  readonly property: string;
  /**
   * Maps values to component names; without an entry in `mapping`, the value is the component's
   * name.
   */
  readonly mapping: ReadonlyMap<string, string>;
  readonly targets: ReadonlySet<string>;
  /** The schemas by value that name this one in `allOf`; those of `oneOf` are compared as alternatives. */
  readonly children: ReadonlyMap<string, JsonObject>;
  /** The component of other values. */
  readonly otherwise: string | undefined;
}

/** The name at the end of a reference. */
const targetName = (target: Json): string =>
  /(?<![^/])([^/]+?)(?:\.[a-z]+)?$/i.exec(String(target))?.[1] ?? String(target);

function discriminatorOf(
  reader: SchemaReader,
  nodes: readonly JsonObject[],
): Discriminator | undefined {
  const node = nodes.find(({ discriminator }) => isObject(discriminator));
  const discriminator = node?.["discriminator"];
  if (node === undefined || !isObject(discriminator)) return undefined;
  const branches = [...listOf(node["oneOf"]), ...listOf(node["anyOf"])];
  const heirs = branches.length === 0 ? reader.heirsOf(node) : new Map<string, JsonObject>();
  const own = namesOfHeir(reader, heirs, nodes[0]);
  const mapping = new Map<string, string>();
  const written = discriminator["mapping"];
  for (const [value, target] of Object.entries(isObject(written) ? written : none)) {
    const name = targetName(target);
    if (own === undefined || own.has(name)) mapping.set(value, name);
  }
  const mapped = new Set(mapping.values());
  const names = branches.flatMap((branch) => {
    if (!isObject(branch) || typeof branch["$ref"] !== "string") return [];
    return [reader.document.nameOf(reader.document.target(branch) as JsonObject) ?? ""];
  });
  for (const name of [...names, ...(own ?? heirs.keys())]) {
    if (!mapped.has(name)) mapping.set(name, name);
  }
  const children = [...mapping].flatMap(([value, name]) => {
    const heir = node === nodes[0] ? heirs.get(name) : undefined;
    return heir === undefined ? [] : [[value, heir] as const];
  });
  return {
    children: new Map(children),
    property: String(discriminator["propertyName"]),
    mapping,
    targets: new Set(mapping.values()),
    otherwise:
      discriminator["defaultMapping"] === undefined
        ? undefined
        : targetName(discriminator["defaultMapping"]),
  };
}

/**
 * The names of a schema that takes its parent with `allOf`, and of its own heirs: it is none of the
 * parent's other heirs. Undefined for any other schema.
 */
function namesOfHeir(
  reader: SchemaReader,
  heirs: ReadonlyMap<string, JsonObject>,
  schema: JsonObject | undefined,
): ReadonlySet<string> | undefined {
  const [name] = [...heirs].find(([, heir]) => heir === schema) ?? [];
  if (name === undefined || schema === undefined) return undefined;
  return new Set([name, ...reader.heirsOf(schema).keys()]);
}
