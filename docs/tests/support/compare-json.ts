import { sameText, type Correspondence } from "./compare-text.ts";

const ellipsis = "…";

/** Differs from answer to answer by its nature. */
const anyNumber = new Set(["query_time"]);

/** The first difference between JSON as a page shows it and as it came; null for none. */
export function sameJson(shown: string, real: string, ids: Correspondence): string | null {
  let value: unknown;
  try {
    value = JSON.parse(real);
  } catch {
    return `shown as JSON, but printed: ${real}`;
  }
  return difference(parseShown(shown), value, "", ids);
}

/** JSON in which `…` stands for members or entries that are left out. */
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
  shown: unknown,
  real: unknown,
  place: string,
  ids: Correspondence,
): string | null {
  const differ = (): string => `${place || "the answer"}: shown ${show(shown)}, came ${show(real)}`;
  if (typeof shown === "string") {
    return typeof real === "string" && sameText(shown, real, ids) ? null : differ();
  }
  if (Array.isArray(shown)) return Array.isArray(real) ? inList(shown, real, place, ids) : differ();
  if (isObject(shown)) return isObject(real) ? inObject(shown, real, place, ids) : differ();
  return shown === real ? null : differ();
}

function inList(
  shown: readonly unknown[],
  real: readonly unknown[],
  place: string,
  ids: Correspondence,
): string | null {
  const open = shown.at(-1) === ellipsis;
  const wanted = open ? shown.slice(0, -1) : shown;
  if (open ? real.length < wanted.length : real.length !== wanted.length) {
    return `${place || "the answer"}: shown ${wanted.length} entries, came ${real.length}`;
  }
  return firstOf(
    wanted.map((item, index) => () => difference(item, real[index], `${place}[${index}]`, ids)),
  );
}

function inObject(
  shown: Readonly<Record<string, unknown>>,
  real: Readonly<Record<string, unknown>>,
  place: string,
  ids: Correspondence,
): string | null {
  const names = Object.keys(shown).filter((name) => name !== ellipsis);
  const extra = ellipsis in shown ? [] : Object.keys(real).filter((name) => !names.includes(name));
  if (extra.length > 0) return `${place || "the answer"}: came with ${extra.join(", ")}, not shown`;
  return firstOf(
    names.map((name) => () => {
      const at = place === "" ? name : `${place}.${name}`;
      if (!Object.hasOwn(real, name)) return `${at}: shown, did not come`;
      if (anyNumber.has(name) && typeof real[name] === "number") return null;
      return difference(shown[name], real[name], at, ids);
    }),
  );
}

function firstOf(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const show = (value: unknown): string => JSON.stringify(value) ?? String(value);
