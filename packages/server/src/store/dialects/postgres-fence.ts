import {
  escapeLiteral,
  Query,
  type Connection as Wire,
  type QueryConfig,
  type QueryResult,
} from "pg";
import { serverRole } from "./postgres-dialect.ts";

/**
 * Settings of one transaction. They are never set for a session: behind a pooler in transaction mode, the next
 * transaction of a client has another session, and its own session goes to other clients.
 */
export interface Fence {
  /** The tenants whose records are visible. */
  readonly cids: string;
  /** Maximum time of a statement. 0: no limit. */
  readonly statementMilliseconds: number;
}

/** Sets the fence of a read. Both parameters are texts. Returns no row, which the driver would have to parse. */
const setFence = `select where concat(
  set_config('role', '${serverRole}', true), set_config('app.cids', $1, true),
  set_config('statement_timeout', $2, true), set_config('transaction_read_only', 'on', true)) is null`;

export const fenceName = "fence";

const fenceValues = ({ cids, statementMilliseconds }: Fence): string[] => [
  cids,
  String(statementMilliseconds),
];

/** Prepares the statement of `FencedQuery` on a new connection, and tries to set the role. */
export const prepareFence = (fence: Fence, isPrepared: boolean): QueryConfig => ({
  ...(isPrepared ? { name: fenceName } : {}),
  text: setFence,
  values: fenceValues(fence),
});

/** Begins a transaction that writes as a tenant. Owners keep the role of the login and have no time limit. */
export function beginText(cid: string | null, limit: number | null): string {
  const tenant = escapeLiteral(cid ?? "");
  const role =
    limit === null
      ? ""
      : `set_config('role', '${serverRole}', true), set_config('statement_timeout', '${limit}', true),`;
  return `begin; select ${role} set_config('app.cids', ${tenant}, true), set_config('app.cid', ${tenant}, true)`;
}

/** What the driver calls on a query. Its types omit most of it. */
interface DriverQuery {
  submit(wire: Messages): Error | null;
  handleCommandComplete(message: unknown, wire: Messages): void;
}

interface Messages {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: {
    readonly portal: string;
    readonly statement: string;
    readonly values: readonly string[];
  }): void;
  execute(message: { readonly portal: string; readonly rows: number }): void;
}

type Answered = (error: Error | null, result: QueryResult) => void;

const QueryOfDriver = Query as unknown as new (
  config: QueryConfig & { readonly queryMode: "extended"; readonly callback: Answered },
) => DriverQuery;

/**
 * A read outside an explicit transaction. PostgreSQL runs everything up to the next "sync" message in one
 * transaction. So the fence is set in the transaction of the read, without a round trip, `begin` or `commit`.
 */
export class FencedQuery extends QueryOfDriver {
  readonly #fence: Fence;
  readonly #isPrepared: boolean;
  #isFenced = false;

  constructor(config: QueryConfig, fence: Fence, isPrepared: boolean, answered: Answered) {
    super({ ...config, queryMode: "extended", callback: answered });
    this.#fence = fence;
    this.#isPrepared = isPrepared;
  }

  override submit(wire: Messages): Error | null {
    wire.stream.cork();
    try {
      const statement = this.#isPrepared ? fenceName : "";
      if (!this.#isPrepared) wire.parse({ name: "", text: setFence });
      wire.bind({ portal: "", statement, values: fenceValues(this.#fence) });
      wire.execute({ portal: "", rows: 0 });
      return super.submit(wire);
    } finally {
      wire.stream.uncork();
    }
  }

  override handleCommandComplete(message: unknown, wire: Messages): void {
    if (this.#isFenced) super.handleCommandComplete(message, wire);
    this.#isFenced = true;
  }
}

/** Runs a query behind the fence. */
export const queryFenced = (
  client: { query(query: { submit: (wire: Wire) => void }): unknown },
  config: QueryConfig,
  fence: Fence,
  isPrepared: boolean,
): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    const query = new FencedQuery(config, fence, isPrepared, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
    client.query(query as unknown as { submit: (wire: Wire) => void });
  });
