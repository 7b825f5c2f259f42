import { canonicalText, isObject, type Json } from "../../src/json.ts";

/** How a parameter or a header is written. */
export interface Style {
  readonly style: string;
  readonly explode: boolean;
}

/**
 * The text that a value becomes in a message; undefined if it cannot be sent. Values with the same text
 * are the same message.
 */
export function wireOf({ style, explode }: Style, value: Json): string | undefined {
  if (value === null) return undefined;
  if (style === "part") return partText(value);
  if (Array.isArray(value)) return listText(style, explode, value as readonly Json[]);
  if (isObject(value)) return objectText(style, explode, value);
  return style === "form" ? `q=${String(value)}` : String(value);
}

/** A member of a form: items are repeated, and objects are JSON. */
function partText(value: Json): string | undefined {
  const items: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (items.some((item) => item === null || Array.isArray(item))) return undefined;
  return items.map((item) => `q=${isObject(item) ? canonicalText(item) : String(item)}`).join("&");
}

const isScalar = (value: Json): boolean => value !== null && typeof value !== "object";

const separators: Readonly<Record<string, string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "|",
};

function listText(style: string, explode: boolean, list: readonly Json[]): string | undefined {
  if (!list.every(isScalar) || style === "deepObject") return undefined;
  const texts = list.map(String);
  // RFC 6570, 3.2.1: a list without members is left out.
  if (style === "form" && texts.length === 0) return undefined;
  if (style === "form" && explode) {
    return texts.map((each) => `q=${each}`).join("&");
  }
  const text = texts.join(separators[style] ?? (style === "label" && explode ? "." : ","));
  return style === "form" ? `q=${text}` : text;
}

function objectText(
  style: string,
  explode: boolean,
  object: Readonly<Record<string, Json>>,
): string | undefined {
  const members = Object.entries(object).toSorted(([left], [right]) => (left < right ? -1 : 1));
  if (!members.every(([, value]) => isScalar(value))) return undefined;
  if (style === "deepObject") {
    return members.map(([name, value]) => `q[${name}]=${String(value)}`).join("&");
  }
  if (style === "form" && explode) {
    return members.map(([name, value]) => `${name}=${String(value)}`).join("&");
  }
  const text = members
    .map(([name, value]) => `${name}${explode ? "=" : ","}${String(value)}`)
    .join(separators[style] ?? ",");
  return style === "form" ? `q=${text}` : text;
}
