import type { Predicate } from "@security-platform/fql";
import { sql } from "kysely";
import type { Layout } from "./columns.ts";
import type { Connection } from "./dialects/dialect.ts";
import { Parameter } from "./plan-key.ts";
import type { BranchQuery } from "./branches.ts";
import type { Leads } from "./lead.ts";
import { bind, Template, type Statements } from "./statements.ts";
import type { Tenant } from "./types.ts";

/** Whose records a read sees: a tenant, and whether it is the reader's own. */
export interface Owner {
  readonly cid: string;
  /** Null for the reader's own tenant, whose name no record shows. */
  readonly ancestor: Tenant | null;
  /** Of the platform's records: the tenant that sees no more than those whose audience holds it. */
  readonly audience?: string;
}

/** Records of one resource as one reader sees them, over one connection. */
export interface View {
  readonly layout: Layout;
  readonly statements: Statements;
  readonly leads: Leads;
  readonly connection: Connection;
  /** Nearest first. */
  readonly owners: readonly Owner[];
}

/** Where a tenant's writes stand. */
export interface Standing {
  /** Its last write. */
  readonly number: number;
  /** Versions superseded up to this write are gone. */
  readonly swept: number;
  /** Its last write to the resource. */
  readonly resource: number;
  /** How many records the resource has ever had. */
  readonly rows: number;
}

const nowhere: Standing = { number: 0, swept: 0, resource: 0, rows: 0 };

interface StandingPlan {
  readonly cid: Parameter<string>;
  readonly table: Parameter<string>;
}

const standingTemplate = new Template<StandingPlan, Standing, null>(
  ({ cid, table }) => sql<Standing>`
    select tenant.number, tenant.swept,
      coalesce(written.number, 0) as resource, coalesce(written.rows, 0) as rows
    from write_numbers as tenant
    left join write_numbers as written
      on written.cid = tenant.cid and written.resource = ${bind(table)}
    where tenant.cid = ${bind(cid)} and tenant.resource = ''`,
);

/** Of each owner in sight. */
export async function standingsOf({
  connection,
  statements,
  layout,
  owners,
}: View): Promise<readonly Standing[]> {
  const found = await Promise.all(
    owners.map(({ cid }) =>
      statements.run(connection, standingTemplate, null, {
        cid: new Parameter(cid),
        table: new Parameter(layout.table),
      }),
    ),
  );
  return found.map(([standing]) => standing ?? nowhere);
}

/** The state of the data after the last write, to be read by several statements. */
export async function snapshotOf(view: View): Promise<readonly number[]> {
  const standings = await standingsOf(view);
  return standings.map(({ number }) => number);
}

/** A query over the records that match `predicate` at `now`. */
export function queryOf(
  { layout, statements }: View,
  predicate: Predicate,
  now: Date,
): BranchQuery {
  const { dialect } = statements;
  return {
    layout,
    dialect,
    now: new Parameter(instantText(now)),
    predicate,
    split: false,
  };
}

let lastInstant = { time: 0, text: "1970-01-01T00:00:00.000000000Z" };

/** An instant in the canonical form of timestamp columns. */
export function instantText(now: Date): string {
  const time = now.getTime();
  // On the path of every request, and a busy server has many in a millisecond.
  if (time !== lastInstant.time) {
    // ISO text has three of the nine digits.
    lastInstant = { time, text: `${now.toISOString().slice(0, -1)}000000Z` };
  }
  return lastInstant.text;
}
