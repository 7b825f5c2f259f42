import { sql, type RawBuilder } from "kysely";
import { whereOf } from "../filters/filter-to-where.ts";
import { latestConditions } from "./records.ts";
import { uniqueKeyColumn } from "../rows/row-values.ts";
import { Parameter } from "../statements/plan-key.ts";
import type { Shape } from "../filters/shape.ts";
import { bind, Template, type Target } from "../statements/statements.ts";
import type { View } from "./view.ts";
import { completeRecord, type Parts } from "../rows/record-parts.ts";

/** The rows of one tenant that have an id or key of a list. */
export interface ListPlan<Value extends string | number> {
  readonly cid: Parameter<string>;
  readonly list: Parameter<readonly Value[]>;
}

/**
 * The current rows `t` whose column `name` is in the list. Ends with a `where`, so that conditions can
 * follow.
 */
export const listedRows = (
  { cid, list }: ListPlan<string>,
  { dialect, layout }: Target,
  name: "id" | "unique_key",
) => sql`${dialect.elements(bind(list), "text")} cross join ${sql.table(layout.table)} as t
  where t.cid = ${bind(cid)} and t.${sql.ref(name)} = listed.value and t.valid_to is null`;

interface RecordRow extends Parts {
  readonly cid: string;
  readonly id: string;
}

/** The rows of one source that a list names. */
interface SourcePlan extends ListPlan<string> {
  readonly conditions: readonly Shape[];
  readonly now: Parameter<string>;
}

function visible({ conditions, cid, now }: SourcePlan, target: Target): RawBuilder<unknown> {
  const scope = { ...target, cid, now, expired: null };
  return sql.join(
    conditions.map((condition) => sql`and ${whereOf(condition, scope)}`),
    sql` `,
  );
}

const selectRecords = new Template<SourcePlan, RecordRow>((plan, target) => {
  const hidden = target.layout.resource.hidden === undefined ? sql`null` : sql`t.hidden`;
  return sql`select t.cid, t.id, t.doc, ${hidden} as hidden from ${listedRows(plan, target, "id")}
    and t.purge_at is null ${visible(plan, target)}`;
});

const selectHolders = new Template<SourcePlan, { id: string; unique_key: string }>(
  (plan, target) =>
    sql`select t.id, t.unique_key from ${listedRows(plan, target, "unique_key")}
      ${visible(plan, target)}`,
);

/**
 * Live records by id, as they were written, with hidden members. `at`: an instant in the form of columns.
 * `open` decrypts sealed members.
 */
export async function recordsById<Record extends object>(
  view: View,
  ids: readonly string[],
  at: string,
  open: (record: Record, cid: string) => Record,
): Promise<ReadonlyMap<string, Record>> {
  const rows = await fromEverySource(selectRecords, view, ids, at);
  return new Map(
    rows.map(({ cid, id, ...parts }) => [id, open(completeRecord<Record>(parts), cid)]),
  );
}

/** Ids of live records by unique key. */
export async function holdersOfKeys(
  view: View,
  keys: readonly string[],
  at: string,
): Promise<ReadonlyMap<string, string>> {
  const byColumn = new Map(keys.map((key) => [uniqueKeyColumn(key), key]));
  const columns = [...byColumn.keys()].filter((key) => key !== null);
  const rows = await fromEverySource(selectHolders, view, columns, at);
  return new Map(rows.map(({ id, unique_key }) => [byColumn.get(unique_key) ?? "", id]));
}

async function fromEverySource<Row>(
  template: Template<SourcePlan, Row>,
  view: View,
  list: readonly string[],
  at: string,
): Promise<readonly Row[]> {
  if (list.length === 0) return [];
  const { statements, connection, layout, sources } = view;
  const rowsBySource = await Promise.all(
    sources.map((source) =>
      statements.run(connection, template, layout, {
        cid: new Parameter(source.cid),
        list: new Parameter(list),
        conditions: latestConditions(view, source),
        now: new Parameter(at),
      }),
    ),
  );
  return rowsBySource.flat();
}
