import type { Connection, Database } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import { deleteExpired } from "../statements/delete-expired.ts";
import { RequestTakenError } from "../types/errors.ts";
import type {
  EarlierRequest,
  StoredResponse,
  KeyedRequest,
  KeyedRequests,
} from "../types/keyed-request.ts";

const keptMilliseconds = 24 * 60 * 60_000;

interface RequestRow {
  readonly fingerprint: string;
  readonly started_at: string;
  readonly status: number | null;
  readonly headers: string | null;
  readonly body: string | null;
}

/** Returns false if another attempt has the key. An expired row counts as absent. */
async function takeHash(
  connection: Connection,
  { hash, fingerprint, attempt, startedAt }: KeyedRequest,
  answer: StoredResponse | null,
): Promise<boolean> {
  const expiresAt = new Date(startedAt.getTime() + keptMilliseconds).toISOString();
  const headers = answer === null ? null : JSON.stringify(answer.headers);
  const rows = await connection.all(sql`
    insert into keyed_requests
      (hash, fingerprint, attempt, started_at, expires_at, status, headers, body)
    values (${hash}, ${fingerprint}, ${attempt}, ${startedAt.toISOString()}, ${expiresAt},
      ${answer?.status ?? null}, ${headers}, ${answer?.body ?? null})
    on conflict (hash) do update
    set fingerprint = excluded.fingerprint, attempt = excluded.attempt,
      started_at = excluded.started_at, expires_at = excluded.expires_at,
      status = excluded.status, headers = excluded.headers, body = excluded.body
    where keyed_requests.attempt = excluded.attempt
      or keyed_requests.expires_at <= excluded.started_at
    returning hash`);
  return rows.length > 0;
}

/**
 * Notes, inside the transaction of a change, that the change belongs to this request. So a change and its note
 * are stored together, or neither of them. Throws `RequestTakenError` if another attempt was first.
 */
export async function takeRequest(connection: Connection, request: KeyedRequest): Promise<void> {
  if (!(await takeHash(connection, request, null))) throw new RequestTakenError();
}

/**
 * The table `keyed_requests`. It has no row-level security: rows are found only by a hash, which contains the
 * tenant.
 */
export class StoredRequests implements KeyedRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(hash: string, now: Date): Promise<EarlierRequest | null> {
    const [row] = await this.#database.read([], (connection) =>
      connection.all(sql<RequestRow>`
        select fingerprint, started_at, status, headers, body from keyed_requests
        where hash = ${hash} and expires_at > ${now.toISOString()}`),
    );
    if (row === undefined) return null;
    const { fingerprint, started_at, status, headers, body } = row;
    return {
      fingerprint,
      startedAt: new Date(started_at),
      answer:
        status === null
          ? null
          : {
              status,
              headers: JSON.parse(headers ?? "{}") as Record<string, string>,
              body: body ?? "",
            },
    };
  }

  keep(request: KeyedRequest, answer: StoredResponse): Promise<boolean> {
    return this.#database.write(null, (connection) => takeHash(connection, request, answer));
  }

  purge(now: Date): Promise<number> {
    const requests = { table: "keyed_requests", key: "hash", until: "expires_at" };
    return deleteExpired(this.#database, requests, now.toISOString());
  }
}
