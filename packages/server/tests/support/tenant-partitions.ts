import { Client } from "pg";
import { vi } from "vitest";
import { connectAsOwner } from "./raw-sql.ts";
import { fillDatabase, type Engine } from "./engines.ts";

/** More than the tenants of a statement, so that a statement without a tenant is noticed. */
const partitions = 5;

/**
 * Functions of Citus that partition a table by its tenants instead of distributing it. Like Citus, they refuse policies
 * with sub-selects, and keep the indexes, the policies and the grants. A partition is called `p<number>_<table's id>`.
 */
const standIn = `
  create schema citus;
  grant usage on schema citus to public;
  do $$ begin execute format('alter database %I set search_path = public, citus', current_database()); end $$;
  set search_path = public, citus;
  create table citus.pg_dist_partition (logicalrelid oid primary key, repmodel text not null default 's');
  create table citus.pg_dist_node (groupid integer not null);
  insert into pg_dist_node values (0);

  create function create_reference_table(name regclass) returns void language sql
    as 'insert into pg_dist_partition values (name, ''t'')';
  create function citus_add_local_table_to_metadata(name regclass) returns void language sql
    as 'insert into pg_dist_partition values (name)';

  create function create_distributed_table(name regclass, key text, colocate_with text)
  returns void language plpgsql as $$
  declare
    plain text := relname from pg_class where oid = name;
    scripts text[];
    each text;
  begin
    if exists (
      select from pg_policy where polrelid = name
        and concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) ~* 'select')
    then raise exception 'Subqueries are not supported in policies on distributed tables'; end if;
    scripts := array(
      select format('alter table %I add %s', plain, pg_get_constraintdef(oid))
        from pg_constraint where conrelid = name and contype = 'p'
      union all
      select pg_get_indexdef(indexrelid) from pg_index where indrelid = name and not indisprimary
      union all
      select format('alter table %I enable row level security', plain)
        from pg_class where oid = name and relrowsecurity
      union all
      select format('create policy %I on %I for %s %s %s', polname, plain,
          case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end,
          'using (' || pg_get_expr(polqual, polrelid) || ')',
          'with check (' || pg_get_expr(polwithcheck, polrelid) || ')')
        from pg_policy where polrelid = name
      union all
      select format('grant %s on %I to %I', privilege_type, plain, grantee::regrole)
        from pg_class, aclexplode(relacl) where pg_class.oid = name and grantee <> relowner);
    execute format('alter table %I rename to not_distributed', plain);
    execute format('create table %I (like not_distributed including defaults) partition by hash (%I)',
      plain, key);
    for number in 0..${partitions - 1} loop
      execute format('create table %I partition of %I for values with (modulus ${partitions}, remainder %s)',
        'p' || number || '_' || name::oid, plain, number);
      insert into pg_dist_partition values (format('%I', 'p' || number || '_' || name::oid)::regclass);
    end loop;
    execute format('insert into %I select * from not_distributed', plain);
    drop table not_distributed;
    foreach each in array scripts loop execute each; end loop;
  end $$`;

/** The engine with databases whose tenants are apart, as on a PostgreSQL with Citus. */
export function withTenantPartitions(engine: Engine): Pick<Engine, "name" | "emptyUrl" | "url"> {
  const emptyUrl = async () => {
    const url = await engine.emptyUrl();
    const owner = await connectAsOwner(url);
    await owner.run(standIn);
    await owner.close();
    return url;
  };
  const url = async () => {
    const created = await emptyUrl();
    await fillDatabase(created, "platform");
    return created;
  };
  return { name: engine.name, emptyUrl, url };
}

/** A statement with the values of its first run. */
type Statements = ReadonlyMap<string, readonly unknown[]>;

/** The different statements that this process sends to PostgreSQL in `work`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statements> {
  const statements = new Map<string, readonly unknown[]>();
  const { query } = Client.prototype;
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (
    this: Client,
    ...sent: unknown[]
  ) {
    const [first] = sent as [{ readonly text?: string; readonly values?: readonly unknown[] }];
    const { text, values } = first;
    if (text !== undefined && values !== undefined && !statements.has(text)) {
      statements.set(text, values);
    }
    return Reflect.apply(query, this, sent) as never;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return statements;
}

/**
 * Look for work in all tenants, in the table with their write numbers. Each runs once in a sweep or an upgrade, and never
 * for a request.
 */
const acrossTenants = [
  /^\s*select cid, resource, number, swept, purge_at from write_numbers\s/,
  /^\s*select cid, rows, 0 as since from write_numbers\s/,
  /^\s*select cid from write_numbers where resource = /,
  /^\s*select cid, number from write_numbers\s/,
  /^\s*select own\.cid, own\.resource, own\.rows, tenant\.upgraded as since\s/,
  /^\s*update write_numbers set upgraded = number where resource = ''$/,
];

/** The statements whose plan reads the rows of more tenants than they name. */
export async function strayStatements(
  url: string,
  statements: Statements,
): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const stray: string[] = [];
    for (const [text, values] of statements) {
      if (!/^\s*(select|with|insert|update|delete)\s/.test(text)) continue;
      if (acrossTenants.some((each) => each.test(text))) continue;
      const plan = await client.query(`explain (costs off, format json) ${text}`, [...values]);
      const read = new Set(
        [...JSON.stringify(plan.rows).matchAll(/"Relation Name": ?"p(\d+)_\d+"/g)].map(
          ([, number]) => number,
        ),
      );
      const tenants = [...text.matchAll(/\bcid (?:= |in \()(\$\d+(?:, \$\d+)*)/g)].flatMap(
        ([, parameters = ""]) => parameters.split(", "),
      );
      const named = new Set(tenants.map((parameter) => values[Number(parameter.slice(1)) - 1]));
      if (read.size > named.size) stray.push(text);
    }
    return stray;
  } finally {
    await client.end();
  }
}
