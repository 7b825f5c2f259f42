import { LRUCache } from "lru-cache";
import type { Connection, Database } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { deleteExpired } from "../statements/delete-expired.ts";
import { StoreError } from "../types/errors.ts";
import { TokenLookUps } from "./token-look-ups.ts";
import {
  platformCid,
  type AccessToken,
  type ApiClient,
  type ClientSecret,
  type Directory,
  type StoredAuditEntry,
  type Tenant,
  type Transaction,
} from "../types/types.ts";

const secretsKept = 2;
const ancestorsKept = 10_000;

/** Runs `work` in a transaction of a tenant that `prepare` creates in the same transaction. */
type TransactNew = (
  cid: string,
  work: (transaction: Transaction) => Promise<void>,
  prepare: (connection: Connection) => Promise<void>,
) => Promise<void>;

/** Tenants, API clients, tokens, settings and the audit trail of one database. */
export class StoredDirectory implements Directory {
  readonly #database: Database;
  readonly #tokens: TokenLookUps;
  readonly #transact: TransactNew;
  /** The ancestors of tenants, which many requests need. Tenants never change. */
  readonly #ancestors = new LRUCache<string, readonly Tenant[]>({ max: ancestorsKept });

  constructor(database: Database, transact: TransactNew) {
    this.#database = database;
    this.#tokens = new TokenLookUps(database);
    this.#transact = transact;
  }

  async createTenant(
    tenant: Tenant,
    fill?: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const { cid } = tenant;
    // Row-level security requires that all cids have the same length.
    if (!/^[0-9a-f]{32}$/.test(cid)) throw new StoreError(`${cid} is not 32 hexadecimal digits`);
    if (cid === platformCid) throw new StoreError(`${cid} stands for the platform`);
    const { name, parent_cid, created_at } = tenant;
    const insert = async (connection: Connection): Promise<void> => {
      await connection.send(sql`insert into tenants (cid, name, parent_cid, created_at)
        values (${cid}, ${name}, ${parent_cid}, ${created_at})`);
      await connection.send(
        sql`insert into write_numbers (cid, resource, number) values (${cid}, '', 0)`,
      );
    };
    if (fill === undefined) return this.#database.write(cid, insert);
    return this.#transact(cid, fill, insert);
  }

  tenants(): Promise<readonly Tenant[]> {
    return this.#tenants(sql`order by cid`);
  }

  async tenant(cid: string): Promise<Tenant | null> {
    const [tenant] = await this.#tenants(sql`where cid = ${cid}`);
    return tenant ?? null;
  }

  async ancestors(cid: string): Promise<readonly Tenant[]> {
    const cachedAncestors = this.#ancestors.get(cid);
    if (cachedAncestors !== undefined) return cachedAncestors;
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
    this.#ancestors.clear();
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
    return this.#tenants(sql`where catalogue_version < ${version} order by cid`);
  }

  async createClient(client: ApiClient, secret: ClientSecret): Promise<void> {
    const { client_id, cid, name, scopes, created_at, user_uuid = null } = client;
    await this.#database.write(null, async (connection) => {
      await connection.send(sql`
        insert into api_clients (client_id, cid, name, scopes, created_at, user_uuid)
        values (${client_id}, ${cid}, ${name}, ${JSON.stringify(scopes)}, ${created_at}, ${user_uuid})`);
      await connection.send(insertSecret(client_id, 1, secret));
    });
  }

  async clients(cid?: string): Promise<readonly ApiClient[]> {
    const ofTenant = cid === undefined ? sql`` : sql`where cid = ${cid}`;
    const rows = await this.#rows(
      sql<ClientRow>`select ${clientColumns} from api_clients ${ofTenant} order by client_id`,
    );
    return rows.map(clientOf);
  }

  async client(
    clientId: string,
  ): Promise<{ client: ApiClient; secrets: readonly ClientSecret[] } | null> {
    const [[row], secrets] = await this.#database.read([], (connection) =>
      Promise.all([
        connection.all(
          sql<ClientRow>`select ${clientColumns} from api_clients where client_id = ${clientId}`,
        ),
        connection.all(sql<ClientSecret>`select hash, created_at, expires_at from client_secrets
          where client_id = ${clientId} order by number`),
      ]),
    );
    return row === undefined ? null : { client: clientOf(row), secrets };
  }

  async rotateSecret(clientId: string, secret: ClientSecret, olderUntil: string): Promise<void> {
    const ofClient = sql`where client_id = ${clientId}`;
    await this.#database.write(null, async (connection) => {
      // Locks the client, so that concurrent rotations run one after the other.
      await connection.send(sql`update api_clients set name = name ${ofClient}`);
      const [row] = await connection.all(
        sql<{ last: number | null }>`select max(number) as last from client_secrets ${ofClient}`,
      );
      const last = row?.last ?? 0;
      await connection.send(
        sql`delete from client_secrets ${ofClient} and number <= ${last + 1 - secretsKept}`,
      );
      await connection.send(sql`update client_secrets set expires_at = ${olderUntil}
        ${ofClient} and (expires_at is null or expires_at > ${olderUntil})`);
      await connection.send(insertSecret(clientId, last + 1, secret));
    });
  }

  async deleteClient(clientId: string): Promise<boolean> {
    const deleted = await this.#change(
      sql`delete from api_clients where client_id = ${clientId} returning client_id`,
    );
    return deleted.length > 0;
  }

  async saveToken({ hash, client_id, cid, scopes, expires_at }: AccessToken): Promise<void> {
    await this.#change(sql`
      insert into access_tokens (hash, client_id, cid, scopes, expires_at)
      values (${hash}, ${client_id}, ${cid}, ${JSON.stringify(scopes)}, ${expires_at})`);
  }

  async token(hash: string): Promise<AccessToken | null> {
    const row = await this.#tokens.find(hash);
    return row === undefined ? null : withScopes(row);
  }

  async revokeToken(hash: string, clientId: string): Promise<void> {
    await this.#change(
      sql`delete from access_tokens where hash = ${hash} and client_id = ${clientId}`,
    );
  }

  purgeTokens(expiredAt: string): Promise<number> {
    const tokens = { table: "access_tokens", key: "hash", until: "expires_at" };
    return deleteExpired(this.#database, tokens, expiredAt);
  }

  async setting(name: string, initial: () => string): Promise<string> {
    const stored = sql<{ value: string }>`select value from settings where name = ${name}`;
    const [existing] = await this.#rows(stored);
    if (existing !== undefined) return existing.value;
    // If another process stores the setting first, its value is used.
    await this.#change(
      sql`insert into settings (name, value) values (${name}, ${initial()}) on conflict do nothing`,
    );
    const [row] = await this.#rows(stored);
    if (row === undefined) throw new Error(`the setting ${name} was not kept`);
    return row.value;
  }

  async changeSetting(name: string, value: string): Promise<void> {
    await this.#change(sql`insert into settings (name, value) values (${name}, ${value})
      on conflict (name) do update set value = excluded.value`);
  }

  async auditEntries({ cid, limit, before }: { cid: string; limit: number; before?: number }) {
    const earlier = before === undefined ? sql`` : sql`and number < ${before}`;
    const rows = await this.#database.read([cid], (connection) =>
      connection.all(sql<Omit<StoredAuditEntry, "ids"> & { readonly ids: string }>`
        select cid, number, at, actor, client_id, operation, trace_id, comment, ids
        from audit_entries where cid = ${cid} ${earlier}
        order by number desc limit ${limit}`),
    );
    return rows.map((row) => ({ ...row, ids: JSON.parse(row.ids) as string[] }));
  }

  #tenants(rest: Sql): Promise<readonly Tenant[]> {
    return this.#rows(sql<Tenant>`select cid, name, parent_cid, created_at from tenants ${rest}`);
  }

  /** For tables that are not fenced by tenant. */
  #rows<Row>(query: Sql<Row>): Promise<readonly Row[]> {
    return this.#database.read([], (connection) => connection.all(query));
  }

  #change<Row>(query: Sql<Row>): Promise<readonly Row[]> {
    return this.#database.write(null, (connection) => connection.all(query));
  }
}

const insertSecret = (
  clientId: string,
  number: number,
  { hash, created_at, expires_at }: ClientSecret,
): Sql => sql`insert into client_secrets (client_id, number, hash, created_at, expires_at)
  values (${clientId}, ${number}, ${hash}, ${created_at}, ${expires_at})`;

const clientColumns = sql`client_id, cid, name, scopes, created_at, user_uuid`;

interface ClientRow extends Omit<ApiClient, "scopes" | "user_uuid"> {
  readonly scopes: string;
  readonly user_uuid: string | null;
}

/** Leaves out `user_uuid` if the client acts for itself. */
function clientOf({ user_uuid, ...row }: ClientRow): ApiClient {
  return { ...withScopes(row), ...(user_uuid === null ? {} : { user_uuid }) };
}

function withScopes<Row extends { readonly scopes: string }>(
  row: Row,
): Omit<Row, "scopes"> & { readonly scopes: readonly string[] } {
  return { ...row, scopes: readScopes(row.scopes) };
}

const mostScopeLists = 1_000;
/** Cached, because every request reads a list of scopes and few lists differ. */
const scopeLists = new LRUCache<string, readonly string[]>({
  max: mostScopeLists,
  memoMethod: (text) => JSON.parse(text) as string[],
});

const readScopes = (text: string): readonly string[] => scopeLists.memo(text);
