import type { Clock } from "../clock.ts";
import type { Database } from "./dialects/dialect.ts";
import { StoredDirectory } from "./directory.ts";
import { StoreError } from "./errors.ts";
import type { Directory, Records, Resource, Sight, Store, Transaction } from "./types.ts";

export class DatabaseStore implements Store {
  readonly engine: Store["engine"];
  readonly directory: Directory;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, { clock }: { readonly clock: Clock }) {
    this.engine = database.dialect.engine;
    this.directory = new StoredDirectory(database);
    this.#database = database;
    this.#clock = clock;
  }

  records<Record extends object>(_resource: Resource<Record>, _sight: Sight): Records<Record> {
    throw new StoreError("under construction");
  }

  async write<Result>(
    _cid: string,
    _work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    throw new StoreError(`under construction ${this.#clock.now().toISOString()}`);
  }

  async sweep(_now: Date): Promise<void> {}

  async reindex(_resource?: string): Promise<number> {
    return 0;
  }

  async ping(): Promise<void> {
    await this.#database.read([], (connection) => connection.all("select 1", []));
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
