import { sql } from "kysely";
import { answers, type Question } from "./field-source.ts";
import { slot } from "./statements.ts";
import { storedText } from "./stored-text.ts";

/** Distinct values of a text field, ascending, from after `after`. */
export async function distinctValues(
  question: Question,
  { limit, after }: { readonly limit: number; readonly after?: string },
): Promise<readonly string[]> {
  const { draft } = question.query;
  const from =
    after === undefined ? sql`` : sql`where value > ${slot(draft.slot(storedText(after)))}`;
  const most = slot(draft.slot(limit));
  const rows = await answers<{ value: unknown }>(
    question,
    after === undefined ? "distinct" : "distinct after",
    (values) => sql`select distinct value from ${values} ${from} order by value limit ${most}`,
  );
  return rows.map(({ value }) => String(question.source.decode(value)));
}

/** How many distinct values there are, counted no further than `ceiling`. */
export async function countDistinctValues(question: Question, ceiling: number): Promise<number> {
  const most = slot(question.query.draft.slot(ceiling));
  const [row] = await answers<{ count: number }>(
    question,
    "count distinct",
    (values) =>
      sql`select count(*) as count from (select distinct value from ${values} limit ${most}) as d`,
  );
  return row?.count ?? 0;
}
