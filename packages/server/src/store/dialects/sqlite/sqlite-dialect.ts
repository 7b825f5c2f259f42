import { isAbsent, namesByTable, type Dialect } from "../dialect.ts";
import { sql, type Sql } from "../sql.ts";
import { whileInTime } from "./statement-limit.ts";

/**
 * Statistics for the planner, which otherwise assumes ten rows per tenant. Every index has two large tenants
 * and some rows for each value. The partial indexes (deleted, superseded, expired) have few rows. Only
 * `PageStarts` knows which values are rare.
 */
const assumedStatistics = `
  analyze settings;
  delete from sqlite_stat1;
  insert into sqlite_stat1 (tbl, idx, stat)
    select indexes.tbl_name, indexes.name,
      case when indexes.sql like '% where % is not null%' then '1000' else '1000000' end
      || group_concat(
        case
          when columns.seqno >= (
            select min(seqno) from pragma_index_info(indexes.name)
            where name = 'row' or seqno = (select max(seqno) from pragma_index_info(indexes.name))
          ) then ' 1'
          when columns.seqno = 0 and indexes.sql like '% where % is not null%' then ' 500'
          when columns.seqno = 0 then ' 500000'
          else ' 1000'
        end, '' order by columns.seqno)
    from sqlite_schema as indexes, pragma_index_info(indexes.name) as columns
    where indexes.type = 'index' group by indexes.name;
  insert into sqlite_stat1 (tbl, idx, stat)
    select name, name, '5000000 2500000 5 5 2 1' from sqlite_schema
    where type = 'table' and name like '%\\_\\_values' escape '\\';
  analyze sqlite_schema`;

export const sqliteDialect: Dialect = {
  engine: "sqlite",
  types: { text: "text", integer: "integer", number: "real", boolean: "integer" },
  identity: "integer primary key autoincrement",
  databaseSize: sql<{ bytes: number }>`
    select (pages.page_count - free.freelist_count) * size.page_size as bytes
    from pragma_page_count as pages, pragma_freelist_count as free, pragma_page_size as size`,
  // Only one transaction writes at a time.
  isUniqueViolation: () => false,
  skipLocked: sql``,
  tableOptions: { plain: "strict", clustered: "strict, without rowid" },
  anyOf: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  whileInTime,
  isAbsent,
  isAmong: (column, list) => sql`+${column} in (select value from json_each(${list}))`,
  elements: (list) => sql`json_each(${list}) as listed`,
  // Uses GLOB, because LIKE ignores ASCII case here.
  glob: (column, pattern) => sql`${column} glob ${pattern}`,
  globPattern: (parts) => parts.map((part) => part.replaceAll(/[[*?]/g, "[$&]")).join("*"),
  numberList: (column) => sql`group_concat(${column})`,
  contains: (column, needle) => sql`instr(${column}, ${needle}) > 0`,
  boolean: (value) => (value ? sql`1` : sql`0`),
  // SQLite prefers the primary key to any other index; the range condition prevents this.
  notAmong: ({ row, validFrom, versions }) => sql`not exists (
    select 1 from ${versions} and h.row = ${row} and h.valid_from between ${validFrom} and ${validFrom})`,
  createWords: (table) => `
    create table "${table}_rows" (
      key integer primary key, cid text not null, row integer not null,
      valid_from integer not null, text_key text not null, sequence text not null,
      unique (cid, row, valid_from)
    ) strict;
    create virtual table "${table}_index" using fts5(
      words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'"
    );
    create view "${table}" as
      select cid, row, valid_from, null as words, text_key, sequence from "${table}_rows";
    create trigger "${table}_insert" instead of insert on "${table}" begin
      insert into "${table}_rows" (cid, row, valid_from, text_key, sequence)
        values (new.cid, new.row, new.valid_from, new.text_key, new.sequence);
      insert into "${table}_index" (rowid, words) values (last_insert_rowid(), new.words);
    end;
    create trigger "${table}_delete" instead of delete on "${table}" begin
      delete from "${table}_index" where rowid = (
        select key from "${table}_rows"
        where cid = old.cid and row = old.row and valid_from = old.valid_from);
      delete from "${table}_rows"
        where cid = old.cid and row = old.row and valid_from = old.valid_from;
    end;`,
  manyWords: null,
  dropWords: (table) =>
    `drop view "${table}"; drop table "${table}_index"; drop table "${table}_rows";`,
  wordsQuery: (alternatives, excluded = null) => {
    const texts = alternatives.map(({ words, starts }) =>
      [...words.map((word) => `"${word}"`), ...starts.map((start) => `"${start}" *`)].join(" "),
    );
    // An alternative without words holds for every version.
    const any = texts.includes("") ? "" : ` AND (${texts.map((each) => `(${each})`).join(" OR ")})`;
    return excluded === null ? any : `${any} NOT "${excluded}" *`;
  },
  versionsWithWords: (table, cid, { proven, possible, part, phrases }) => {
    const { contains } = sqliteDialect;
    const texts = [
      ...(part === null ? [] : [contains(sql`found.text_key`, part)]),
      ...phrases.map((phrase) => contains(sql`found.sequence`, phrase)),
    ];
    const versions = (words: string, compared: readonly Sql[]) => sql`
      select found.row, found.valid_from
      from ${sql.id(`${table}_index`)} as indexed
      cross join ${sql.id(`${table}_rows`)} as found on found.key = indexed.rowid
      where ${sql.id(`${table}_index`)} match ${`"_${cid}"${words}`}
        and ${sql.join([sql`found.cid = ${cid}`, whileInTime(sql`found.key`), ...compared], " and ")}`;
    const selects = [
      ...(proven === null ? [] : [versions(proven, [])]),
      ...(possible === null ? [] : [versions(possible, texts)]),
    ];
    return sql.join(selects, " union all ");
  },
  trigrams: null,
  fence: () => "",
  admitAudience: () => "",
  admitEveryone: () => "",
  closeFence: () => "",
  admitPlatform: () => "",
  assumeStatistics: () => "",
  admit: assumedStatistics,
  rowsOfJson: (_table, names, rows) => sql`
    select ${sql.join(names.map((name) => sql`value ->> ${sql.literal(`$."${name}"`)} as ${sql.id(name)}`))}
    from json_each(${rows})`,
  // The columns of a view or of a virtual table may be unknown without what it refers to.
  everyTable: sql`
    select tables.name as "table", coalesce(columns.name, '') as name
    from sqlite_schema as tables left join pragma_table_info(
      case when tables.type = 'table' and tables.sql not like 'create virtual %' then tables.name end
    ) as columns
    where tables.type in ('table', 'view') and tables.name not like 'sqlite\\_%' escape '\\'`,
  columnsOf: async (connection, tables) =>
    namesByTable(
      await connection.all(
        sql`select listed.value as "table", columns.name
          from json_each(${tables}) as listed, pragma_table_info(listed.value) as columns`,
      ),
    ),
  indexesOf: async (connection, tables) =>
    namesByTable(
      await connection.all(
        sql`select tbl_name as "table", name from sqlite_schema
          where type = 'index' and sql is not null
            and tbl_name in (select value from json_each(${tables}))`,
      ),
    ),
};
