import type { Direction } from "../change.ts";
import { objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { OperationSite } from "./comparison.ts";
import { compareSerialization, hasContent, listMode, schemaOf } from "./parameters.ts";

/** Headers, and the object that has them. */
interface Headers {
  readonly headers: Json | undefined;
  readonly at: JsonObject;
}

/** The headers of a response, or of a part of a form, with their name in messages. */
interface Kind {
  readonly rules: "response-header" | "part-header";
  /** Such as `200` or `the part file`. */
  readonly of: string;
}

export function compareHeaders(
  site: OperationSite,
  part: Direction,
  { rules, of }: Kind,
  base: Headers,
  revision: Headers,
): void {
  const before = headersOf(site.base, base.headers);
  const after = headersOf(site.revision, revision.headers);
  for (const [key, { name, node }] of before) {
    const words = `header ${name} of ${of}`;
    const other = after.get(key);
    if (other === undefined) {
      const kind = node["required"] === true ? "required" : "optional";
      site.report(`${rules}-removed`, part, `the ${kind} ${words} was removed`, { base: node });
      continue;
    }
    const at = { base: node, revision: other.node };
    const [was, is] = [node["required"] === true, other.node["required"] === true];
    if (was && !is) {
      site.report(`${rules}-became-optional`, part, `the ${words} is optional now`, at);
    } else if (!was && is) {
      site.report(`${rules}-became-required`, part, `the ${words} is required now`, at);
    }
    const header = { node, name, in: "header" };
    const otherHeader = { node: other.node, name, in: "header" };
    compareSerialization(site, header, otherHeader, part, words);
    site.schemas.compare(
      site.partOf(rules === "response-header" ? `response ${of}, header ${name}` : words),
      schemaOf(node),
      schemaOf(other.node),
      {
        direction: site.directionOf(part),
        ...(hasContent(other.node) ? {} : { textual: "header" as const }),
        ...listMode(header, otherHeader),
      },
      site.revision.pointer(other.node),
    );
  }
  for (const [key, { name, node }] of after) {
    if (before.has(key)) continue;
    const isRequired = node["required"] === true;
    // Who sends messages as before does not send the header.
    const isMissed = isRequired && site.directionOf(part) === "request";
    site.report(
      `${rules}-added`,
      part,
      `the ${isRequired ? "required " : ""}header ${name} of ${of} is new`,
      { revision: node },
      isMissed ? "major" : undefined,
    );
  }
}

function headersOf(
  document: LoadedDocument,
  headers: Json | undefined,
): ReadonlyMap<string, { readonly name: string; readonly node: JsonObject }> {
  return new Map(
    objectsOf(headers)
      .filter(([name]) => name.toLowerCase() !== "content-type")
      .map(([name, node]) => [name.toLowerCase(), { name, node: document.resolve(node) }]),
  );
}
