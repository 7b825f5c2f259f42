import type { PoolLoad } from "../../types/pool-load.ts";
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

interface ReadersInTurns {
  readonly of: (cid: string) => Reader;
  /** What the threads do now. */
  readonly load: () => PoolLoad;
}

/**
 * The reader of a tenant for statements that look at many rows. A thread answers its calls in their order, so each
 * call goes to a thread that is idle, and tenants take turns.
 */
export function readersInTurns({
  dialect,
  connections,
  path,
  statementMilliseconds,
  now,
}: ReadsParts): ReadersInTurns {
  const turns = new TenantTurns(connections);
  const load = (): PoolLoad => {
    const { working, waiting } = turns.load();
    return { pool: "read", inUse: working, idle: connections.length - working, waiting };
  };
  const of = (cid: string): Reader => {
    const read = <Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> => {
      const limit = new StatementLimit(statementMilliseconds, now);
      limit.begin();
      return turns.run(cid, async (reader) => {
        try {
          limit.check();
        } catch (error) {
          throw sqliteFailure(error, path);
        }
        return work(reader);
      });
    };
    return {
      dialect,
      aside: null,
      all: (query) => read((reader) => reader.all(query)),
      tuples: (query) => read((reader) => reader.tuples(query)),
    };
  };
  return { of, load };
}
