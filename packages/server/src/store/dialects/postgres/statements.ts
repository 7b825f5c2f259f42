import { escapeIdentifier, type QueryConfig } from "pg";
import type { InsertTarget } from "../dialect.ts";
import type { Sql } from "../sql.ts";
import { arrayTypes } from "./postgres-dialect.ts";

/** Maximum length of a prepared statement, in characters. Longer ones need memory and are rarely repeated. */
const longestKept = 30_000;
const statementsPerConnection = 1_000;

/** The statements that a connection has prepared. */
export class Statements {
  readonly #names = new Map<string, string>();
  readonly #settings: { readonly isPrepared: boolean };

  /** `isPrepared`: whether the engine plans each statement once for the connection. May become false. */
  constructor(settings: { readonly isPrepared: boolean }) {
    this.#settings = settings;
  }

  /** Whether so many are prepared that the connection should end. */
  get areMany(): boolean {
    return this.#names.size > statementsPerConnection;
  }

  /** A query as the driver takes it. */
  compiled(query: Sql): QueryConfig {
    let [text = ""] = query.texts;
    for (let number = 1; number < query.texts.length; number += 1) {
      text += `$${number}${query.texts[number]}`;
    }
    return { name: this.nameOf(text), text, values: [...query.values] };
  }

  /** The name of a statement. One with the empty name is not kept. */
  nameOf(text: string): string {
    if (!this.#settings.isPrepared || text.length > longestKept) return "";
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `s${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name;
  }
}

const insertTexts = new WeakMap<InsertTarget, string>();

/** The statement takes one array per column, so that it is the same for any number of rows. */
export function insertText(target: InsertTarget): string {
  let text = insertTexts.get(target);
  if (text === undefined) {
    const names = target.columns.map(({ name }) => escapeIdentifier(name));
    const arrays = target.columns.map(({ type }, at) => `$${at + 1}::${arrayTypes[type]}`);
    text = `insert into ${escapeIdentifier(target.table)} (${names.join(", ")})
      select * from unnest(${arrays.join(", ")})`;
    insertTexts.set(target, text);
  }
  return text;
}
