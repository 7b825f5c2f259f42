import { setImmediate } from "node:timers/promises";
import type { Selectable } from "kysely";
import type { Database } from "../dialects/dialect.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, Template, type Statements } from "../statements/statements.ts";
import type { Tables } from "../types/tables.ts";

export type TokenRow = Selectable<Tables["access_tokens"]>;

const byHash = new Template<{ hash: Parameter<string> }, TokenRow, null>(({ hash }, { dialect }) =>
  dialect.builder.selectFrom("access_tokens").selectAll().where("hash", "=", bind(hash)),
);

/** Compiled once, because every request runs it. */
const find = async (
  { database, statements }: Parts,
  hash: string,
): Promise<TokenRow | undefined> => {
  const [row] = await database.read([], (connection) =>
    statements.run(connection, byHash, null, { hash: new Parameter(hash) }),
  );
  return row;
};

interface Parts {
  readonly database: Database;
  readonly statements: Statements;
}

/**
 * Looks up tokens. Requests with the same token that arrive together share one query, if a query is a round
 * trip. The query starts after all of them have arrived, so it sees every revocation before them.
 */
export class TokenLookUps {
  readonly #parts: Parts;
  readonly #waiting = new Map<string, Promise<TokenRow | undefined>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  find(hash: string): Promise<TokenRow | undefined> {
    if (this.#parts.database.dialect.engine === "sqlite") return find(this.#parts, hash);
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
    return find(this.#parts, hash);
  }
}
