/**
 * The values of a page's placeholders: an id on the page stands for one real id on the whole page.
 */
export class Correspondence {
  readonly #real = new Map<string, string>();
  readonly #shown = new Map<string, string>();
  readonly #sent: string;

  /** `sent`: everything that the page sends; the server must return these values unchanged. */
  constructor(sent: string) {
    this.#sent = sent;
  }

  /** Whether the real text matches the page's text; `bound`: only this one. */
  accepts(expected: string, real: string, bound: boolean): boolean {
    if (this.#sent.includes(expected)) return expected === real;
    if (!bound) return true;
    const previous = this.#real.get(expected);
    if (previous !== undefined) return previous === real;
    if (this.#shown.has(real)) return false;
    this.#real.set(expected, real);
    this.#shown.set(real, expected);
    return true;
  }
}

/** Kinds of text that differ between runs. */
const shapes = [
  { name: "token", pattern: /spt_[\w-]{43}/, bound: true },
  { name: "uuid", pattern: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, bound: true },
  { name: "id", pattern: /\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b/, bound: true },
  { name: "time", pattern: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/, bound: false },
] as const;
const volatile = new RegExp(shapes.map(({ pattern }) => `(${pattern.source})`).join("|"), "g");

/** Matches any text. Alone on a line, it matches any number of lines or members. */
const ellipsis = "…";

/** Compares one line or one JSON string. */
export function sameText(expected: string, real: string, ids: Correspondence): boolean {
  const pattern = expected
    .split(ellipsis)
    .map((part) =>
      splitVolatile(part)
        .map(({ text, shape }) =>
          shape === undefined ? escape(text) : `(${shape.pattern.source})`,
        )
        .join(""),
    )
    .join("[\\s\\S]*?");
  const match = new RegExp(`^${pattern}$`).exec(real);
  if (match === null) return false;
  const parts = expected
    .split(ellipsis)
    .flatMap(splitVolatile)
    .filter(({ shape }) => shape !== undefined);
  return parts.every(({ text, shape }, index) =>
    ids.accepts(text, match[index + 1] ?? "", shape?.bound === true),
  );
}

interface Part {
  readonly text: string;
  readonly shape: (typeof shapes)[number] | undefined;
}

function splitVolatile(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(volatile)) {
    parts.push({ text: text.slice(end, match.index), shape: undefined });
    const shape = shapes[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push({ text: match[0], shape });
    end = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(end), shape: undefined }].filter(
    ({ text: part }) => part !== "",
  );
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Compares several lines. A line with only `…` matches any number of lines. */
export function sameLines(expected: string, real: string, ids: Correspondence): string | null {
  const expectedLines = lines(expected);
  const actualLines = lines(real);
  let at = 0;
  for (const [index, line] of expectedLines.entries()) {
    if (line.trim() === ellipsis) {
      const next = expectedLines[index + 1];
      if (next === undefined) return null;
      while (at < actualLines.length && !sameText(next, actualLines[at] ?? "", ids)) at += 1;
      continue;
    }
    const actual = actualLines[at];
    if (actual === undefined) return `missing output: ${line}`;
    if (!sameText(line, actual, ids)) return `shown:   ${line}\nprinted: ${actual}`;
    at += 1;
  }
  return at < actualLines.length ? `unexpected output: ${actualLines[at] ?? ""}` : null;
}

const lines = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
