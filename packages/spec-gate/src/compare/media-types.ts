import type { Direction, Verdict } from "../change.ts";
import type { JsonObject } from "../json.ts";

/** A media type of a body. */
export interface Media {
  readonly name: string;
  readonly node: JsonObject;
}

/** In lower case and with sorted parameters. */
export function normalName(name: string): string {
  const [type = "", ...parameters] = name.split(";").map((each) => each.trim().toLowerCase());
  return [type, ...parameters.map(unquoted).toSorted()].join(";");
}

const unquoted = (parameter: string): string => parameter.replace(/="([^"\\]*)"$/, "=$1");

export const essence = (name: string): string => name.split(";")[0]?.trim().toLowerCase() ?? "";

/** Whether the first name is a range that includes the second. */
export function covers(range: string, name: string): boolean {
  const [wide, narrow] = [essence(range), essence(name)];
  if (wide === "*/*" || wide === "*") return true;
  if (wide.endsWith("/*")) return narrow.startsWith(wide.slice(0, -1));
  // A base format matches the formats derived from it: application/json for …/x+json.
  return wide === narrow;
}

export const isRelated = (left: string, right: string): boolean =>
  covers(left, right) ||
  covers(right, left) ||
  suffixOf(left) === essence(right) ||
  suffixOf(right) === essence(left);

/** `application/problem+json` → `application/json`. */
export const suffixOf = (name: string): string | undefined => {
  const suffix = /^(\w+)\/.+\+(\w+)$/.exec(essence(name));
  return suffix === null ? undefined : `${suffix[1]}/${suffix[2]}`;
};

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
export function verdictOfParameters(direction: Direction, before: string, after: string): Verdict {
  const [base, revision] = [parametersOf(before), parametersOf(after)];
  const has = (of: ReadonlyMap<string, string>, [key, value]: readonly [string, string]) =>
    of.get(key) === value;
  const lost = [...base].filter((each) => !has(revision, each));
  const gained = [...revision].filter((each) => !has(base, each));
  if (lost.length > 0 && gained.length > 0) return "major";
  if (lost.length > 0) return direction === "response" ? "major" : "minor";
  return gained.length > 0 && direction === "request" ? "major" : "patch";
}
