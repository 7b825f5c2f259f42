import type { Predicate } from "@security-platform/fql";
import { sql, type Sql } from "../dialects/sql.ts";
import type { Layout } from "../rows/columns.ts";
import type { Reader } from "../dialects/dialect.ts";
import type { BranchQuery } from "./branches.ts";
import type { PageStarts } from "./page-starts.ts";
import type { Source } from "./sources.ts";
import type { TrigramFields } from "./trigram-fields.ts";

/** The records of one resource that one reader sees, on one connection. */
export interface View {
  readonly layout: Layout;
  readonly pageStarts: PageStarts;
  readonly connection: Reader;
  /** For a view whose `connection` is aside: the reader that runs brief statements at once. */
  readonly direct?: Reader;
  readonly sources: readonly Source[];
  /** Indexes of trigrams that an operator has added. */
  readonly trigrams: TrigramFields;
}

/** The state of the data in one source. */
export interface SourceState {
  /** Number of the last write of its tenant. */
  readonly number: number;
  /** Versions superseded up to this write have been deleted. */
  readonly swept: number;
  /** Number of the last write to the resource. */
  readonly resource: number;
  /** The number of records that the resource has ever had. */
  readonly rows: number;
}

const stateWithoutWrites: SourceState = { number: 0, swept: 0, resource: 0, rows: 0 };

/** The state of each source. */
export async function statesOf({
  connection,
  layout,
  sources,
}: View): Promise<readonly SourceState[]> {
  return Promise.all(
    sources.map(async ({ cid }) => {
      const [state = stateWithoutWrites] = await connection.all(sql<SourceState>`
        select tenant.number, tenant.swept,
          coalesce(written.number, 0) as resource, coalesce(written.rows, 0) as rows
        from write_numbers as tenant
        left join write_numbers as written
          on written.cid = tenant.cid and written.resource = ${layout.table}
        where tenant.cid = ${cid} and tenant.resource = ''`);
      return state;
    }),
  );
}

/** The number of records in all sources. */
export function recordsIn(states: readonly Pick<SourceState, "rows">[]): number {
  let records = 0;
  for (const { rows } of states) records += rows;
  return records;
}

/**
 * The current rows `t` of a tenant whose column `name` is in the list. Ends with a `where`, so that conditions
 * can follow.
 */
export const listedRows = (
  { layout, connection: { dialect } }: Pick<View, "layout" | "connection">,
  cid: string,
  name: "id" | "unique_key",
  list: readonly string[],
): Sql => sql`${dialect.elements(list, "text")} cross join ${sql.id(layout.table)} as t
  where t.cid = ${cid} and ${sql.id("t", name)} = listed.value and t.valid_to is null`;

/** Number of records from which a statement that looks at all of them may take long. */
const manyRecords = 1_000;

/**
 * The view for statements that may look at every record. If there are many, the event loop does not wait for
 * them.
 */
export function viewForLongStatements(
  view: View,
  states: readonly Pick<SourceState, "rows">[],
): View {
  const { aside } = view.connection;
  const [source] = view.sources;
  if (aside === null || source === undefined) return view;
  if (recordsIn(states) < manyRecords) return view;
  return { ...view, connection: aside(source.fence), direct: view.connection };
}

/**
 * The rows of a statement that may look at every record. `mayBeBrief`: `Dialect.whileInTime` ends it wherever it looks
 * at many. Then it is tried at once, because most are brief and calling a thread takes longer than reading a page.
 */
export async function rowsOf<Tuple extends readonly unknown[]>(
  { connection, direct }: Pick<View, "connection" | "direct">,
  statement: Sql<Tuple>,
  mayBeBrief: boolean,
): Promise<readonly Tuple[]> {
  const rows = mayBeBrief ? await direct?.briefly?.(statement) : null;
  return rows ?? connection.tuples(statement);
}

/** A query for the records that match `predicate` at `now`. */
export const queryOf = (
  { layout, trigrams, connection: { dialect } }: View,
  predicate: Predicate,
  now: Date,
  split = false,
): BranchQuery => ({ layout, dialect, now: instantText(now), predicate, trigrams, split });

let lastInstant = { time: 0, text: "1970-01-01T00:00:00.000000000Z" };

/** An instant in the canonical form of timestamp columns. */
export function instantText(now: Date): string {
  const time = now.getTime();
  // Cached, because every request needs it and a busy server handles many requests per millisecond.
  if (time !== lastInstant.time) {
    // An ISO text has only three of the nine fraction digits.
    lastInstant = { time, text: `${now.toISOString().slice(0, -1)}000000Z` };
  }
  return lastInstant.text;
}
