/** The value of a statement's parameter; lists are for `anyOf` and `elements`. */
export type Bindable = string | number | boolean | null | readonly (string | number | boolean)[];

/** A piece of SQL with its values. `Row` is the type of the rows that it returns, or of its value. */
export class Sql<Row = unknown> {
  declare readonly row: Row;
  /** The text before, between and after the values. */
  readonly texts: readonly string[];
  readonly values: readonly Bindable[];

  /** A part stands between two texts. Pieces of SQL become a part of the text, all others are values. */
  constructor(around: readonly string[], parts: readonly (Sql | Bindable)[]) {
    const texts: string[] = [];
    const values: Bindable[] = [];
    let text = around[0] ?? "";
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] ?? null;
      if (part instanceof Sql) {
        for (let inner = 0; inner < part.values.length; inner += 1) {
          texts.push(text + part.texts[inner]);
          values.push(part.values[inner] ?? null);
          text = "";
        }
        text += part.texts.at(-1);
      } else {
        texts.push(text);
        values.push(part);
        text = "";
      }
      text += around[at + 1];
    }
    texts.push(text);
    this.texts = texts;
    this.values = values;
  }

  /** The text with `?` in place of each value. */
  get text(): string {
    return this.texts.join("?");
  }
}

/** Pieces of SQL become a part of the text; all other values become parameters. */
const tag = <Row = unknown>(
  strings: TemplateStringsArray,
  ...parts: readonly (Sql | Bindable)[]
): Sql<Row> => new Sql<Row>(strings, parts);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Names by their text. They come from the document, so they are few. */
const names = new Map<string, Sql>();

function nameOf(text: string): Sql {
  let name = names.get(text);
  if (name === undefined) {
    name = new Sql([text.split("\0").map(quoted).join(".")], []);
    names.set(text, name);
  }
  return name;
}

export const sql = Object.assign(tag, {
  /** SQL without values. Never for a text from outside. */
  raw: <Row = unknown>(text: string): Sql<Row> => new Sql([text], []),
  /** A name, or a table and its column. */
  id: (name: string, member?: string): Sql =>
    nameOf(member === undefined ? name : `${name}\0${member}`),
  /** A value in the text, for values that the planner must know. */
  literal: (value: string | number): Sql =>
    new Sql([typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`], []),
  join: (parts: readonly (Sql | Bindable)[], separator = ", "): Sql => {
    const around = [""];
    while (around.length < parts.length) around.push(separator);
    return new Sql([...around, ""], parts);
  },
});
