import { sql, type Kysely, type Selectable } from "kysely";
import type { Connection, Database } from "../dialects/dialect.ts";
import { LeastRecentlyUsed } from "../../least-recently-used.ts";
import { StoreError } from "../types/errors.ts";
import { rowsOf, sendQuery, type Compilable, type Statements } from "../statements/statements.ts";
import type { Tables } from "../types/tables.ts";
import { TokenLookUps } from "./token-look-ups.ts";
import {
  platformCid,
  type AccessToken,
  type ApiClient,
  type ClientSecret,
  type Directory,
  type Tenant,
  type Transaction,
} from "../types/types.ts";

const secretsKept = 2;
const ancestorsKept = 10_000;
const purgeBatch = 1_000;

/** Runs `work` in a transaction of a tenant that `prepare` creates in the same transaction. */
type TransactNew = (
  cid: string,
  work: (transaction: Transaction, connection: Connection) => Promise<void>,
  prepare: (connection: Connection) => Promise<void>,
) => Promise<void>;

/** Tenants, API clients, tokens, settings and the audit trail of one database. */
export class StoredDirectory implements Directory {
  readonly #database: Database;
  readonly #builder: Kysely<Tables>;
  readonly #tokens: TokenLookUps;
  readonly #transact: TransactNew;
  /** Tenants never change, and many requests need their ancestors. */
  #ancestors = new LeastRecentlyUsed<string, readonly Tenant[]>(ancestorsKept);

  constructor(database: Database, statements: Statements, transact: TransactNew) {
    this.#database = database;
    this.#builder = database.dialect.builder;
    this.#tokens = new TokenLookUps({ database, statements });
    this.#transact = transact;
  }

  async createTenant(
    tenant: Tenant,
    fill?: (transaction: Transaction) => Promise<number>,
  ): Promise<void> {
    const { cid } = tenant;
    // Row-level security requires that all cids have the same length.
    if (!/^[0-9a-f]{32}$/.test(cid)) throw new StoreError(`${cid} is not 32 hexadecimal digits`);
    if (cid === platformCid) throw new StoreError(`${cid} stands for the platform`);
    const insert = async (connection: Connection): Promise<void> => {
      await sendQuery(connection, this.#builder.insertInto("tenants").values(tenant));
      await sendQuery(
        connection,
        this.#builder.insertInto("write_numbers").values({ cid, resource: "", number: 0 }),
      );
    };
    if (fill === undefined) return this.#database.write(cid, insert);
    return this.#transact(
      cid,
      async (transaction, connection) => {
        await sendQuery(connection, this.#versionUpdate(cid, await fill(transaction)));
      },
      insert,
    );
  }

  tenants(): Promise<readonly Tenant[]> {
    return this.#rows(this.#tenants.orderBy("cid"));
  }

  tenant(cid: string): Promise<Tenant | null> {
    return this.#first(this.#tenants.where("cid", "=", cid));
  }

  async ancestors(cid: string): Promise<readonly Tenant[]> {
    const known = this.knownAncestors(cid);
    if (known !== undefined) return known;
    const ancestors: Tenant[] = [];
    const first = await this.tenant(cid);
    let tenant = first;
    while (tenant !== null && tenant.parent_cid !== null) {
      tenant = await this.tenant(tenant.parent_cid);
      if (tenant !== null) ancestors.push(tenant);
    }
    // A tenant that does not exist yet may get a parent.
    if (first !== null) this.#ancestors.set(cid, ancestors);
    return ancestors;
  }

  /** Empties the cache. */
  forget(): void {
    this.#ancestors = new LeastRecentlyUsed(ancestorsKept);
  }

  /** The ancestors of a tenant if they were read before. */
  knownAncestors(cid: string): readonly Tenant[] | undefined {
    return this.#ancestors.peek(cid);
  }

  descendants(cid: string): Promise<readonly Tenant[]> {
    return this.#rows(sql<Tenant>`
      with recursive below (cid, depth) as (
        select cid, 1 from tenants where parent_cid = ${cid}
        union all
        select child.cid, below.depth + 1
        from below join tenants as child on child.parent_cid = below.cid
      )
      select tenants.cid, name, parent_cid, created_at
      from below join tenants on tenants.cid = below.cid order by depth, tenants.cid`);
  }

  tenantsBehind(version: number): Promise<readonly Tenant[]> {
    return this.#rows(this.#tenants.where("catalogue_version", "<", version).orderBy("cid"));
  }

  async setCatalogueVersion(cid: string, version: number): Promise<void> {
    await this.#change(this.#versionUpdate(cid, version));
  }

  #versionUpdate(cid: string, version: number) {
    return this.#builder
      .updateTable("tenants")
      .set({ catalogue_version: version })
      .where("cid", "=", cid);
  }

  async createClient(client: ApiClient, secret: ClientSecret): Promise<void> {
    const { client_id } = client;
    await this.#database.write(null, async (connection) => {
      await rowsOf(
        connection,
        this.#builder
          .insertInto("api_clients")
          .values({ ...client, scopes: JSON.stringify(client.scopes) }),
      );
      await rowsOf(
        connection,
        this.#builder.insertInto("client_secrets").values({ client_id, number: 1, ...secret }),
      );
    });
  }

  async clients(cid?: string): Promise<readonly ApiClient[]> {
    const all = this.#builder.selectFrom("api_clients").selectAll().orderBy("client_id");
    const rows = await this.#rows(cid === undefined ? all : all.where("cid", "=", cid));
    return rows.map(clientOf);
  }

  async client(
    clientId: string,
  ): Promise<{ client: ApiClient; secrets: readonly ClientSecret[] } | null> {
    const client = this.#builder
      .selectFrom("api_clients")
      .selectAll()
      .where("client_id", "=", clientId);
    const ofClient = this.#builder
      .selectFrom("client_secrets")
      .select(["hash", "created_at", "expires_at"])
      .where("client_id", "=", clientId)
      .orderBy("number");
    const [[row], secrets] = await this.#database.read([], (connection) =>
      Promise.all([rowsOf(connection, client), rowsOf(connection, ofClient)]),
    );
    return row === undefined ? null : { client: clientOf(row), secrets };
  }

  async rotateSecret(clientId: string, secret: ClientSecret, olderUntil: string): Promise<void> {
    await this.#database.write(null, async (connection) => {
      const last = await this.#lastSecret(connection, clientId);
      await rowsOf(
        connection,
        this.#builder
          .deleteFrom("client_secrets")
          .where("client_id", "=", clientId)
          .where("number", "<=", last + 1 - secretsKept),
      );
      await rowsOf(
        connection,
        this.#builder
          .updateTable("client_secrets")
          .set({ expires_at: olderUntil })
          .where("client_id", "=", clientId)
          .where((older) =>
            older.or([older("expires_at", "is", null), older("expires_at", ">", olderUntil)]),
          ),
      );
      await rowsOf(
        connection,
        this.#builder
          .insertInto("client_secrets")
          .values({ client_id: clientId, number: last + 1, ...secret }),
      );
    });
  }

  /** Locks the client, so that concurrent rotations run one after the other. */
  async #lastSecret(connection: Connection, clientId: string): Promise<number> {
    await rowsOf(
      connection,
      this.#builder
        .updateTable("api_clients")
        .set((client) => ({ name: client.ref("name") }))
        .where("client_id", "=", clientId),
    );
    const [row] = await rowsOf(
      connection,
      this.#builder
        .selectFrom("client_secrets")
        .select((secret) => secret.fn.max("number").as("number"))
        .where("client_id", "=", clientId),
    );
    return row?.number ?? 0;
  }

  async deleteClient(clientId: string): Promise<boolean> {
    const deleted = await this.#change(
      this.#builder
        .deleteFrom("api_clients")
        .where("client_id", "=", clientId)
        .returning("client_id"),
    );
    return deleted.length > 0;
  }

  async saveToken(token: AccessToken): Promise<void> {
    await this.#change(
      this.#builder
        .insertInto("access_tokens")
        .values({ ...token, scopes: JSON.stringify(token.scopes) }),
    );
  }

  async token(hash: string): Promise<AccessToken | null> {
    const row = await this.#tokens.find(hash);
    return row === undefined ? null : withScopes(row);
  }

  async revokeToken(hash: string, clientId: string): Promise<void> {
    await this.#change(
      this.#builder
        .deleteFrom("access_tokens")
        .where("hash", "=", hash)
        .where("client_id", "=", clientId),
    );
  }

  async purgeTokens(expiredBefore: string): Promise<number> {
    const batch = this.#builder
      .selectFrom("access_tokens")
      .select("hash")
      .where("expires_at", "<", expiredBefore)
      .orderBy("expires_at")
      .limit(purgeBatch);
    const query = this.#builder.deleteFrom("access_tokens").where("hash", "in", batch);
    for (let purged = 0; ;) {
      const removed = await this.#change(query.returning("hash"));
      purged += removed.length;
      if (removed.length < purgeBatch) return purged;
    }
  }

  async setting(name: string, initial: () => string): Promise<string> {
    const stored = this.#builder.selectFrom("settings").select("value").where("name", "=", name);
    const known = await this.#first(stored);
    if (known !== null) return known.value;
    // If another process stores the setting first, its value is used.
    await this.#change(
      this.#builder
        .insertInto("settings")
        .values({ name, value: initial() })
        .onConflict((conflict) => conflict.doNothing()),
    );
    const [row] = await this.#rows(stored);
    if (row === undefined) throw new Error(`the setting ${name} was not kept`);
    return row.value;
  }

  async changeSetting(name: string, value: string): Promise<void> {
    await this.#change(
      this.#builder
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value })),
    );
  }

  async auditEntries(query: { cid: string; limit: number; before?: number }) {
    const { cid, limit, before } = query;
    const all = this.#builder
      .selectFrom("audit_entries")
      .selectAll()
      .where("cid", "=", cid)
      .orderBy("number", "desc")
      .limit(limit);
    const rows = await this.#database.read([cid], (connection) =>
      rowsOf(connection, before === undefined ? all : all.where("number", "<", before)),
    );
    return rows.map((row) => ({ ...row, ids: JSON.parse(row.ids) as string[] }));
  }

  get #tenants() {
    return this.#builder.selectFrom("tenants").select(["cid", "name", "parent_cid", "created_at"]);
  }

  /** For tables that are not fenced by tenant. */
  #rows<Row>(query: Compilable<Row>): Promise<readonly Row[]> {
    return this.#database.read([], (connection) => rowsOf(connection, query));
  }

  async #first<Row>(query: Compilable<Row>): Promise<Row | null> {
    const [row] = await this.#rows(query);
    return row ?? null;
  }

  #change<Row>(query: Compilable<Row>): Promise<readonly Row[]> {
    return this.#database.write(null, (connection) => rowsOf(connection, query));
  }
}

/** Leaves out `user_uuid` if the client acts for itself. */
function clientOf({ user_uuid, ...row }: Selectable<Tables["api_clients"]>): ApiClient {
  return { ...withScopes(row), ...(user_uuid === null ? {} : { user_uuid }) };
}

function withScopes<Row extends { readonly scopes: string }>(
  row: Row,
): Omit<Row, "scopes"> & { readonly scopes: readonly string[] } {
  return { ...row, scopes: readScopes(row.scopes) };
}

const mostScopeLists = 1_000;
/** Cached, because every request reads a list of scopes and few lists differ. */
const scopeLists = new LeastRecentlyUsed<string, readonly string[]>(mostScopeLists);

const readScopes = (text: string): readonly string[] =>
  scopeLists.get(text, () => JSON.parse(text) as string[]);
