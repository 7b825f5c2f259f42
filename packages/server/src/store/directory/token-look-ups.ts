import { setImmediate } from "node:timers/promises";
import type { Database, Replica } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import type { AccessToken } from "../types/types.ts";

export interface TokenRow extends Omit<AccessToken, "scopes"> {
  readonly scopes: string;
}

type Mark = Parameters<Replica["note"]>[1];

/** With a replica, the look-up also says what the tenant's reads have to see, because each request makes one. */
const find = async (database: Database, hash: string): Promise<TokenRow | undefined> => {
  const { replica } = database;
  const [row] = await database.read([], (connection) =>
    connection.all(
      sql<
        TokenRow & Mark
      >`select hash, client_id, cid, scopes, expires_at${replica?.markColumns ?? sql``}
        from access_tokens where hash = ${hash}`,
    ),
  );
  if (row !== undefined) replica?.note(row.cid, row);
  return row;
};

/**
 * Looks up tokens. Requests with the same token that arrive together share one query, if a query is a round
 * trip. The query starts after all of them have arrived, so it sees every revocation before them.
 */
export class TokenLookUps {
  readonly #database: Database;
  readonly #waiting = new Map<string, Promise<TokenRow | undefined>>();

  constructor(database: Database) {
    this.#database = database;
  }

  find(hash: string): Promise<TokenRow | undefined> {
    if (this.#database.dialect.engine === "sqlite") return find(this.#database, hash);
    let row = this.#waiting.get(hash);
    if (row === undefined) {
      row = this.#later(hash);
      this.#waiting.set(hash, row);
    }
    return row;
  }

  /** Event loop: all received requests are read first, then immediates run. */
  async #later(hash: string): Promise<TokenRow | undefined> {
    await setImmediate();
    this.#waiting.delete(hash);
    return find(this.#database, hash);
  }
}
