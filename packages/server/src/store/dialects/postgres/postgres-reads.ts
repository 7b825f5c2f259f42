import type { Pool } from "pg";
import { currentCallerAbort } from "../../../foundation/caller-abort.ts";
import { NoTurnError, TenantTurns } from "../../../threads/tenant-turns.ts";
import { StoreUnavailableError } from "../../types/errors.ts";
import type { Connection } from "../dialect.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { checkOut } from "./postgres-pool.ts";

/**
 * A pool whose connections tenants take in turns. The pool alone would serve waiting reads in their order, whichever
 * tenants they are of.
 */
export class ReadTurns {
  readonly #pool: Pool;
  readonly #turns: TenantTurns<number>;

  constructor(pool: Pool, size: number, connectMilliseconds: number) {
    this.#pool = pool;
    this.#turns = new TenantTurns(
      Array.from({ length: size }, (_, at) => at),
      { ofTenant: Infinity, milliseconds: connectMilliseconds },
    );
  }

  /** The number of reads that wait for their turn. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  async run<Result>(
    cids: readonly string[],
    work: (connection: PostgresConnection) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#turns.run(cids[0] ?? "", () => checkOut(this.#pool, work));
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error;
      throw new StoreUnavailableError(`PostgreSQL: no connection became free (${error.message})`, {
        cause: error,
      });
    }
  }
}

/** Runs `work`, which sees the tenants `cids`. It ends when the caller leaves. */
export function readAs<Result>(
  connection: PostgresConnection,
  cids: readonly string[],
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  connection.showTenants(cids);
  const callerAbort = currentCallerAbort();
  return callerAbort === undefined
    ? work(connection)
    : callerAbort.during(connection, () => work(connection));
}
