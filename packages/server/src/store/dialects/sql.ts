/** The value of a statement's parameter; lists are for `anyOf` and `elements`. */
export type Bindable = string | number | boolean | null | readonly (string | number | boolean)[];

/** A piece of SQL with its values. `Row` is the type of the rows that it returns, or of its value. */
export class Sql<Row = unknown> {
  declare readonly row: Row;
  readonly strings: readonly string[];
  readonly parts: readonly (Sql | Bindable)[];

  constructor(strings: readonly string[], parts: readonly (Sql | Bindable)[]) {
    this.strings = strings;
    this.parts = parts;
  }
}

/** Pieces of SQL become a part of the text; all other values become parameters. */
const tag = <Row = unknown>(
  strings: TemplateStringsArray,
  ...parts: readonly (Sql | Bindable)[]
): Sql<Row> => new Sql<Row>(strings, parts);

const raw = <Row = unknown>(text: string): Sql<Row> => new Sql([text], []);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const sql = Object.assign(tag, {
  /** SQL without values. Never for a text from outside. */
  raw,
  /** A name, or a table and its column. */
  id: (name: string, member?: string): Sql =>
    raw(member === undefined ? quoted(name) : `${quoted(name)}.${quoted(member)}`),
  /** A value in the text, for values that the planner must know. */
  literal: (value: string | number): Sql =>
    raw(typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`),
  join: (parts: readonly (Sql | Bindable)[], separator = ", "): Sql =>
    parts.length === 0
      ? raw("")
      : new Sql(["", ...Array.from({ length: parts.length - 1 }, () => separator), ""], parts),
});

export interface Statement {
  readonly text: string;
  readonly parameters: readonly Bindable[];
}

/** `placeholder` is the place of the parameter with a number, counted from 1. */
export function statementOf(query: Sql, placeholder: (number: number) => string): Statement {
  const parameters: Bindable[] = [];
  let text = "";
  const append = ({ strings, parts }: Sql): void => {
    text += strings[0];
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] ?? null;
      if (part instanceof Sql) append(part);
      else text += placeholder(parameters.push(part));
      text += strings[at + 1];
    }
  };
  append(query);
  return { text, parameters };
}
