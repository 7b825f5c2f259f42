import { sameText, type Correspondence } from "./compare-text.ts";

const ellipsis = "…";

/** Members whose values always differ between responses. */
const anyNumber = new Set(["query_time"]);

/** The first difference between the JSON of a page and the actual JSON; null if there is none. */
export function sameJson(expected: string, real: string, ids: Correspondence): string | null {
  let value: unknown;
  try {
    value = JSON.parse(real);
  } catch {
    return `the page has JSON, but the output was: ${real}`;
  }
  return difference(parseShown(expected), value, "", ids);
}

/** JSON in which `…` replaces omitted members or entries. */
export function parseShown(text: string): unknown {
  const stack: string[] = [];
  let inString = false;
  let result = "";
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (inString) {
      if (char === "\\") {
        result += char + text.charAt((index += 1));
        continue;
      }
      if (char === '"') inString = false;
      result += char;
      continue;
    }
    if (char === '"') inString = true;
    if (char === "{" || char === "[") stack.push(char);
    if (char === "}" || char === "]") stack.pop();
    if (char !== ellipsis) {
      result += char;
      continue;
    }
    const before = /[{[,]\s*$/.test(result) ? "" : ",";
    const after = /^\s*[}\],]/.test(text.slice(index + 1)) ? "" : ",";
    const left = stack.at(-1) === "{" ? `"${ellipsis}": true` : `"${ellipsis}"`;
    result += before + left + after;
  }
  return JSON.parse(result) as unknown;
}

function difference(
  expected: unknown,
  real: unknown,
  place: string,
  ids: Correspondence,
): string | null {
  const differ = (): string =>
    `${place || "the response"}: expected ${show(expected)}, got ${show(real)}`;
  if (typeof expected === "string") {
    return typeof real === "string" && sameText(expected, real, ids) ? null : differ();
  }
  if (Array.isArray(expected))
    return Array.isArray(real) ? inList(expected, real, place, ids) : differ();
  if (isObject(expected)) return isObject(real) ? inObject(expected, real, place, ids) : differ();
  return expected === real ? null : differ();
}

function inList(
  expected: readonly unknown[],
  real: readonly unknown[],
  place: string,
  ids: Correspondence,
): string | null {
  const open = expected.at(-1) === ellipsis;
  const entries = open ? expected.slice(0, -1) : expected;
  if (open ? real.length < entries.length : real.length !== entries.length) {
    return `${place || "the response"}: expected ${entries.length} entries, got ${real.length}`;
  }
  return firstOf(
    entries.map((item, index) => () => difference(item, real[index], `${place}[${index}]`, ids)),
  );
}

function inObject(
  expected: Readonly<Record<string, unknown>>,
  real: Readonly<Record<string, unknown>>,
  place: string,
  ids: Correspondence,
): string | null {
  const names = Object.keys(expected).filter((name) => name !== ellipsis);
  const extra =
    ellipsis in expected ? [] : Object.keys(real).filter((name) => !names.includes(name));
  if (extra.length > 0) return `${place || "the response"}: unexpected ${extra.join(", ")}`;
  return firstOf(
    names.map((name) => () => {
      const at = place === "" ? name : `${place}.${name}`;
      if (!Object.hasOwn(real, name)) return `${at}: missing`;
      if (anyNumber.has(name) && typeof real[name] === "number") return null;
      return difference(expected[name], real[name], at, ids);
    }),
  );
}

function firstOf(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const message = check();
    if (message !== null) return message;
  }
  return null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const show = (value: unknown): string => JSON.stringify(value) ?? String(value);
