/** How a page's placeholders read so far: a shown id stands for one real id, all over the page. */
export class Correspondence {
  readonly #real = new Map<string, string>();
  readonly #shown = new Map<string, string>();
  readonly #given: string;

  /** `given`: everything the page sends. What stands there must come back as it is. */
  constructor(given: string) {
    this.#given = given;
  }

  /** Whether the shown text can stand for the real one; `bound`: for that one only. */
  accepts(shown: string, real: string, bound: boolean): boolean {
    if (this.#given.includes(shown)) return shown === real;
    if (!bound) return true;
    const known = this.#real.get(shown);
    if (known !== undefined) return known === real;
    if (this.#shown.has(real)) return false;
    this.#real.set(shown, real);
    this.#shown.set(real, shown);
    return true;
  }
}

/** Texts that differ from run to run, each shape on its own. */
const shapes = [
  { name: "token", pattern: /spt_[\w-]{43}/, bound: true },
  { name: "uuid", pattern: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/, bound: true },
  { name: "id", pattern: /\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b/, bound: true },
  { name: "time", pattern: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/, bound: false },
] as const;
const volatile = new RegExp(shapes.map(({ pattern }) => `(${pattern.source})`).join("|"), "g");

/** Stands for any run of characters; alone on a line, for any lines or members. */
const ellipsis = "…";

/** Compares one line or one JSON string. */
export function sameText(shown: string, real: string, ids: Correspondence): boolean {
  const pattern = shown
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
  const parts = shown
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

/** Compares several lines; a line of `…` stands for any number of them. */
export function sameLines(shown: string, real: string, ids: Correspondence): string | null {
  const wanted = lines(shown);
  const found = lines(real);
  let at = 0;
  for (const [index, line] of wanted.entries()) {
    if (line.trim() === ellipsis) {
      const next = wanted[index + 1];
      if (next === undefined) return null;
      while (at < found.length && !sameText(next, found[at] ?? "", ids)) at += 1;
      continue;
    }
    const other = found[at];
    if (other === undefined) return `shown, but not printed: ${line}`;
    if (!sameText(line, other, ids)) return `shown:   ${line}\nprinted: ${other}`;
    at += 1;
  }
  return at < found.length ? `printed, but not shown: ${found[at] ?? ""}` : null;
}

const lines = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
