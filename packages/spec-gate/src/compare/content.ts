import type { Direction } from "../change.ts";
import { canonicalText, isObject, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { isSchema } from "../schema/own-keywords.ts";
import type { OperationSite } from "./comparison.ts";
import { compareExamples } from "./examples.ts";

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

/** `the body of 200` → `response 200`. */
const partName = (words: string): string =>
  words.replace(/^the body of (?:the )?/, "response ").replace(/^the /, "");

/** By name, in lower case and with sorted parameters. */
function mediaOf(content: Json | undefined): ReadonlyMap<string, Media> {
  return new Map(
    objectsOf(content).map(([name, node]) => {
      const [type = "", ...parameters] = name.split(";").map((each) => each.trim().toLowerCase());
      return [[type, ...parameters.toSorted()].join(";"), { name, node }];
    }),
  );
}

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
  const at = { base: before.node, revision: after.node };
  const text = `${words} was ${before.name} and is ${after.name} now`;
  if (essence(before.name) === essence(after.name)) {
    site.report("media-type-name-changed", part, text, at);
  } else if (covers(after.name, before.name) || suffixOf(before.name) === essence(after.name)) {
    site.report("media-type-generalized", part, text, at);
  } else site.report("media-type-specialized", part, text, at);
}

function compareMedia(
  site: OperationSite,
  part: Direction,
  words: string,
  before: Media,
  after: Media,
): void {
  const [base, revision] = [before.node["schema"], after.node["schema"]];
  const at = { base: before.node, revision: after.node };
  compareEncoding(site, part, words, before, after);
  if (!isSchema(base) && !isSchema(revision)) return;
  const direction = site.directionOf(part);
  if (isSchema(base) && isSchema(revision)) {
    const pointer = site.revision.pointer(after.node);
    site.schemas.compare(site.partOf(partName(words)), [base], [revision], { direction }, pointer);
    compareExamples(site, part, words, before.node, after.node);
  } else if (isSchema(revision)) {
    site.report("media-type-schema-added", part, `${words} has a schema now`, at);
  } else site.report("media-type-schema-removed", part, `${words} no longer has a schema`, at);
}

function compareEncoding(
  site: OperationSite,
  part: Direction,
  words: string,
  before: Media,
  after: Media,
): void {
  const base = encodingsOf(site.base, before.node);
  const revision = encodingsOf(site.revision, after.node);
  for (const name of new Set([...base.keys(), ...revision.keys()])) {
    const properties = propertyNames(site, before.node, after.node);
    if (properties !== undefined && !properties.has(name)) continue;
    const [was, is] = [base.get(name) ?? "{}", revision.get(name) ?? "{}"];
    if (was === is) continue;
    site.report(
      "encoding-changed",
      part,
      `the encoding of ${name} in ${words} was ${was} and is ${is} now`,
      { base: before.node, revision: after.node },
    );
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

/** The non-default members of encodings, as text. */
function encodingsOf(document: LoadedDocument, { encoding }: JsonObject): Map<string, string> {
  return new Map(
    objectsOf(encoding).map(([name, node]) => {
      const { contentType, style, explode, allowReserved } = node;
      const declared = Object.entries({
        contentType,
        style: style === "form" ? undefined : style,
        explode: explode === (style === undefined || style === "form") ? undefined : explode,
        allowReserved: allowReserved === false ? undefined : allowReserved,
        headers: isObject(node["headers"])
          ? objectsOf(node["headers"]).map(([header, value]) => [
              header.toLowerCase(),
              document.resolve(value)["required"] === true,
            ])
          : undefined,
      }).filter(([, value]) => value !== undefined);
      return [name, canonicalText(Object.fromEntries(declared) as JsonObject)];
    }),
  );
}
