import type { Dialect, Reader } from "../dialect.ts";
import { sqliteFailure } from "../sqlite/sqlite-errors.ts";
import { StatementLimit } from "../sqlite/statement-limit.ts";
import { TenantTurns } from "../../../threads/tenant-turns.ts";

interface ReadsParts {
  readonly dialect: Dialect;
  /** Connections of one thread each. */
  readonly connections: readonly Reader[];
  readonly path: string;
  /** Maximum time that a statement waits; 0: no limit. */
  readonly statementMilliseconds: number;
  /** Milliseconds of a clock that only runs forward. Default: that of the process. */
  readonly now?: () => number;
}

/**
 * Statements that look at many rows. A thread answers its calls in their order, so each call goes to a thread that is
 * idle, and tenants take turns.
 */
export class SqliteReads {
  readonly #parts: ReadsParts;
  readonly #turns: TenantTurns<Reader>;

  constructor(parts: ReadsParts) {
    this.#parts = parts;
    this.#turns = new TenantTurns(parts.connections);
  }

  /** A reader whose statements wait for the tenant's turn. */
  of(cid: string): Reader {
    return {
      dialect: this.#parts.dialect,
      aside: null,
      all: (query) => this.#run(cid, (reader) => reader.all(query)),
      tuples: (query) => this.#run(cid, (reader) => reader.tuples(query)),
    };
  }

  #run<Result>(cid: string, read: (reader: Reader) => Promise<Result>): Promise<Result> {
    const { path, statementMilliseconds, now } = this.#parts;
    const limit = new StatementLimit(statementMilliseconds, now);
    limit.begin();
    return this.#turns.run(cid, async (reader) => {
      try {
        limit.check();
      } catch (error) {
        throw sqliteFailure(error, path);
      }
      return read(reader);
    });
  }
}
