/** A control character that does not occur in text. */
const binary = /[^\P{Cc}\t\n\f\r]/u;
/** It occurs in terminal output. */
const escape = "\u{1b}";

const encodings = [
  { mark: [0xff, 0xfe], name: "utf-16le" },
  { mark: [0xfe, 0xff], name: "utf-16be" },
] as const;

/**
 * The media type of a text; null for content that is not text. Text types have no signature, so
 * this searches for mandatory parts of JSON, HTML and tables. `isWhole`: the sample is the whole
 * content.
 */
export function textType(sample: Uint8Array, isWhole: boolean): string | null {
  const text = decoded(sample, isWhole);
  if (text === null || binary.test(text.replaceAll(escape, ""))) return null;
  if (/^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text)) return "text/html";
  return jsonType(text, isWhole) ?? tableType(text, isWhole) ?? "text/plain";
}

function decoded(sample: Uint8Array, isWhole: boolean): string | null {
  const { name } = encodings.find(({ mark }) => mark.every((byte, at) => sample[at] === byte)) ?? {
    name: "utf-8",
  };
  try {
    // The sample may end in the middle of a character.
    return new TextDecoder(name, { fatal: true }).decode(sample, { stream: !isWhole });
  } catch {
    return null;
  }
}

function jsonType(text: string, isWhole: boolean): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  if (isWhole && isJson(text)) return "application/json";
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const complete = isWhole ? lines : lines.slice(0, -1);
  if (complete.length > 1 && complete.every(isJson)) return "application/x-ndjson";
  const begins = /^\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:|\[\s*(?:[[{"\d-]|true|false|null))/.test(text);
  return !isWhole && begins ? "application/json" : null;
}

function isJson(text: string): boolean {
  try {
    // The result is used, because a bundler may remove a call whose result is not.
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

const separators = [
  [",", "text/csv"],
  [";", "text/csv"],
  ["\t", "text/tab-separated-values"],
] as const;

/** A table has a header, at least one more row, and as many fields in each row. */
function tableType(text: string, isWhole: boolean): string | null {
  for (const [separator, type] of separators) {
    const all = rowsOf(text, separator);
    const rows = isWhole ? all : all.slice(0, -1);
    const [header = [], ...others] = rows;
    // In a sentence, a space follows each comma.
    const isHeader = header.length > 1 && header.every((name) => /^\S(?:.*\S)?$/s.test(name));
    const fits = others.length > 0 && others.every(({ length }) => length === header.length);
    if (isHeader && fits) return type;
  }
  return null;
}

/** Rows of a table (RFC 4180); empty lines are ignored. */
function rowsOf(text: string, separator: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  const endRow = (): void => {
    row.push(field);
    if (row.length > 1 || field !== "") rows.push(row);
    row = [];
    field = "";
  };
  for (const character of text.replaceAll("\r\n", "\n")) {
    if (character === '"') quoted = !quoted;
    else if (quoted) field += character;
    else if (character === "\n") endRow();
    else if (character === separator) {
      row.push(field);
      field = "";
    } else field += character;
  }
  endRow();
  return rows;
}
