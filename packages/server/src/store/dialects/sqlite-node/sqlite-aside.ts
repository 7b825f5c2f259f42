import { moduleBeside, Thread } from "../../../threads/thread.ts";
import type { Bindable, Connection, Dialect } from "../dialect.ts";
import { whenBusy } from "../sqlite/sqlite-database.ts";
import { sqliteFailure } from "../sqlite/sqlite-errors.ts";
import type { ReadReply, ReadRequest } from "./sqlite-read-thread.ts";

/** A connection of a thread, for statements that would block the event loop for long. It only reads. */
export class SqliteAside implements Connection {
  readonly dialect: Dialect;
  readonly locked = new Map<string, number>();
  readonly aside = null;
  readonly #path: string;
  readonly #thread = new Thread<ReadRequest, ReadReply>(
    moduleBeside(import.meta.url, "sqlite-read-thread"),
    { stays: true },
  );

  constructor(dialect: Dialect, path: string) {
    this.dialect = dialect;
    this.#path = path;
  }

  all<Row>(text: string, parameters: readonly Bindable[]): Promise<readonly Row[]> {
    return this.#read<Row>("rows", text, parameters);
  }

  tuples<Tuple extends readonly unknown[]>(
    text: string,
    parameters: readonly Bindable[],
  ): Promise<readonly Tuple[]> {
    return this.#read<Tuple>("tuples", text, parameters);
  }

  tuplesNow<Tuple extends readonly unknown[]>(
    text: string,
    parameters: readonly Bindable[],
  ): Promise<readonly Tuple[]> {
    return this.tuples(text, parameters);
  }

  send(): Promise<void> {
    return refuse();
  }

  insert(): Promise<void> {
    return refuse();
  }

  run(): Promise<void> {
    return refuse();
  }

  async settle(): Promise<void> {}

  close(): Promise<void> {
    return this.#thread.end();
  }

  async #read<Row>(
    form: ReadRequest["form"],
    text: string,
    parameters: readonly Bindable[],
  ): Promise<readonly Row[]> {
    const answer = await this.#thread.call({
      path: this.#path,
      pragmas: whenBusy,
      form,
      text,
      parameters,
    });
    if ("rows" in answer) return answer.rows as Row[];
    const { message, errcode } = answer;
    throw sqliteFailure(Object.assign(new Error(message), { errcode }), this.#path);
  }
}

async function refuse(): Promise<never> {
  throw new Error("this connection only reads");
}
