import { sql } from "kysely";
import { answers, valuesOf, type Question, type SourcePlan } from "./field-source.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, Template } from "../statements/statements.ts";
import { storedText } from "../rows/stored-text.ts";

interface DistinctPlan extends SourcePlan {
  readonly after: Parameter<string> | null;
  readonly limit: Parameter<number>;
}

const distinctTemplate = new Template<DistinctPlan, { value: unknown }>((plan, target) => {
  const from = plan.after === null ? sql`` : sql`where value > ${bind(plan.after)}`;
  return sql`select distinct value from ${valuesOf(plan, target)} ${from}
    order by value limit ${bind(plan.limit)}`;
});

/** The distinct values of a text field after `after`, in ascending order. */
export async function distinctValues(
  question: Question,
  { limit, after }: { readonly limit: number; readonly after?: string },
): Promise<readonly string[]> {
  const rows = await answers(question, distinctTemplate, {
    after: after === undefined ? null : new Parameter(storedText(after)),
    limit: new Parameter(limit),
  });
  return rows.map(({ value }) => String(question.decode(value)));
}

interface CountPlan extends SourcePlan {
  readonly ceiling: Parameter<number>;
}

const countTemplate = new Template<CountPlan, { count: number }>(
  (plan, target) => sql`select count(*) as count from (
    select distinct value from ${valuesOf(plan, target)} limit ${bind(plan.ceiling)}) as d`,
);

/** The number of distinct values, counted up to `ceiling`. */
export async function countDistinctValues(question: Question, ceiling: number): Promise<number> {
  const [row] = await answers(question, countTemplate, { ceiling: new Parameter(ceiling) });
  return row?.count ?? 0;
}
