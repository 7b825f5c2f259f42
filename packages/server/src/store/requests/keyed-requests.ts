import { sql } from "kysely";
import type { Connection, Database } from "../dialects/dialect.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, rowsOf, Template, type Statements } from "../statements/statements.ts";
import { RequestTakenError } from "../types/errors.ts";
import type {
  EarlierRequest,
  StoredResponse,
  KeyedRequest,
  KeyedRequests,
} from "../types/keyed-request.ts";

const keptMilliseconds = 24 * 60 * 60_000;
const purgeBatch = 1_000;

interface TakePlan {
  readonly hash: Parameter<string>;
  readonly fingerprint: Parameter<string>;
  readonly attempt: Parameter<string>;
  readonly startedAt: Parameter<string>;
  readonly expiresAt: Parameter<string>;
  readonly status: Parameter<number | null>;
  readonly headers: Parameter<string | null>;
  readonly body: Parameter<string | null>;
}

/** Returns no row if another attempt has the key. An expired row counts as absent. */
const takeKey = new Template<TakePlan, unknown, null>(
  (plan) => sql`
    insert into keyed_requests
      (hash, fingerprint, attempt, started_at, expires_at, status, headers, body)
    values (${bind(plan.hash)}, ${bind(plan.fingerprint)}, ${bind(plan.attempt)},
      ${bind(plan.startedAt)}, ${bind(plan.expiresAt)},
      ${bind(plan.status)}, ${bind(plan.headers)}, ${bind(plan.body)})
    on conflict (hash) do update
    set fingerprint = excluded.fingerprint, attempt = excluded.attempt,
      started_at = excluded.started_at, expires_at = excluded.expires_at,
      status = excluded.status, headers = excluded.headers, body = excluded.body
    where keyed_requests.attempt = excluded.attempt
      or keyed_requests.expires_at <= excluded.started_at
    returning hash`,
);

async function takeHash(
  connection: Connection,
  statements: Statements,
  { hash, fingerprint, attempt, startedAt }: KeyedRequest,
  answer: StoredResponse | null,
): Promise<boolean> {
  const rows = await statements.run(connection, takeKey, null, {
    hash: new Parameter(hash),
    fingerprint: new Parameter(fingerprint),
    attempt: new Parameter(attempt),
    startedAt: new Parameter(startedAt.toISOString()),
    expiresAt: new Parameter(new Date(startedAt.getTime() + keptMilliseconds).toISOString()),
    status: new Parameter(answer?.status ?? null),
    headers: new Parameter(answer === null ? null : JSON.stringify(answer.headers)),
    body: new Parameter(answer?.body ?? null),
  });
  return rows.length > 0;
}

/**
 * Notes, inside the transaction of a change, that the change belongs to this request. So a change and its note
 * are stored together, or neither of them. Throws `RequestTakenError` if another attempt was first.
 */
export async function takeRequest(
  connection: Connection,
  statements: Statements,
  request: KeyedRequest,
): Promise<void> {
  if (!(await takeHash(connection, statements, request, null))) throw new RequestTakenError();
}

/**
 * The table `keyed_requests`. It has no row-level security: rows are found only by a hash, which contains the
 * tenant.
 */
export class StoredRequests implements KeyedRequests {
  readonly #database: Database;
  readonly #statements: Statements;

  constructor(database: Database, statements: Statements) {
    this.#database = database;
    this.#statements = statements;
  }

  async find(hash: string, now: Date): Promise<EarlierRequest | null> {
    const { builder } = this.#database.dialect;
    const query = builder
      .selectFrom("keyed_requests")
      .select(["fingerprint", "started_at", "status", "headers", "body"])
      .where("hash", "=", hash)
      .where("expires_at", ">", now.toISOString());
    const [row] = await this.#database.read([], (connection) => rowsOf(connection, query));
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
    return this.#database.write(null, (connection) =>
      takeHash(connection, this.#statements, request, answer),
    );
  }

  async purge(now: Date): Promise<number> {
    const { builder } = this.#database.dialect;
    const batch = builder
      .selectFrom("keyed_requests")
      .select("hash")
      .where("expires_at", "<=", now.toISOString())
      .orderBy("expires_at")
      .limit(purgeBatch);
    const query = builder.deleteFrom("keyed_requests").where("hash", "in", batch).returning("hash");
    for (let purged = 0; ;) {
      const removed = await this.#database.write(null, (connection) => rowsOf(connection, query));
      purged += removed.length;
      if (removed.length < purgeBatch) return purged;
    }
  }
}
