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

const fenceName = "fence";

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

const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** A message of PostgreSQL's protocol: its type, its length and its content. */
function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content]);
}

/** The messages that set the fence, without "sync". They are the same for all reads of a tenant. */
export function fenceMessages(fence: Fence, isPrepared: boolean): Buffer {
  const values = fenceValues(fence).map((value) => Buffer.from(value));
  const parameters = values.flatMap((value) => [int32(value.length), value]);
  return Buffer.concat([
    ...(isPrepared ? [] : [message("P", text(""), text(setFence), int16(0))]),
    message(
      "B",
      text(""),
      text(isPrepared ? fenceName : ""),
      int16(0),
      int16(values.length),
      ...parameters,
      int16(0),
    ),
    message("E", text(""), int32(0)),
  ]);
}

/** What the driver calls on a query. Its types omit most of it. */
interface DriverQuery {
  submit(wire: Messages): Error | null;
  handleCommandComplete(complete: unknown, wire: Messages): void;
}

interface Messages {
  readonly stream: { cork(): void; uncork(): void; write(bytes: Buffer): unknown };
}

type Answered = (error: Error | null, result: QueryResult) => void;

const QueryOfDriver = Query as unknown as new (
  config: QueryConfig & { readonly queryMode: "extended"; readonly callback: Answered },
) => DriverQuery;

/**
 * A read outside an explicit transaction. PostgreSQL runs everything up to the next "sync" message in one
 * transaction. So the fence is set in the transaction of the read, without a round trip, `begin` or `commit`.
 */
class FencedQuery extends QueryOfDriver {
  readonly #fence: Buffer;
  #isFenced = false;

  constructor(config: QueryConfig, fence: Buffer, callback: Answered) {
    super({ ...config, queryMode: "extended", callback });
    this.#fence = fence;
  }

  override submit(wire: Messages): Error | null {
    wire.stream.cork();
    try {
      wire.stream.write(this.#fence);
      return super.submit(wire);
    } finally {
      wire.stream.uncork();
    }
  }

  override handleCommandComplete(complete: unknown, wire: Messages): void {
    if (this.#isFenced) super.handleCommandComplete(complete, wire);
    this.#isFenced = true;
  }
}

/** Runs a query behind the fence of `fenceMessages`. */
export const queryFenced = (
  client: { query(query: { submit: (wire: Wire) => void }): unknown },
  config: QueryConfig,
  fence: Buffer,
): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    const query = new FencedQuery(config, fence, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
    client.query(query as unknown as { submit: (wire: Wire) => void });
  });
