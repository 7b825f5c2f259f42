/** A problem in a JSON text that can be parsed. */
export interface JsonFault {
  readonly reason: string;
  /** In characters. */
  readonly offset: number;
}

/** Deeper texts are rejected, because the comparison is recursive. */
export const deepest = 500;

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The first duplicate member (`JSON.parse` keeps only the last one) or the first value that is
 * nested too deeply, in a valid JSON text.
 */
export function jsonFault(text: string): JsonFault | undefined {
  /** The names of each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      const end = endOfString(text, index);
      const names = open.at(-1);
      if (isName && names !== undefined) {
        const raw = text.slice(index + 1, end);
        const name = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
        if (names.has(name)) {
          return { reason: `an object has the member ${name} twice`, offset: index };
        }
        names.add(name);
      }
      index = end;
    } else if (code === openObject) {
      open.push(new Set());
      isName = true;
    } else if (code === openArray) open.push(undefined);
    else if (code === closeObject || code === closeArray) open.pop();
    else if (code === colon) isName = false;
    else if (code === comma) isName = open.at(-1) !== undefined;
    if (open.length > deepest) {
      return { reason: `values are nested more than ${deepest} deep`, offset: index };
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}
