import { sql } from "kysely";
import type { Branch, BranchQuery } from "./branches.ts";
import type { Bindable, Connection } from "./dialects/dialect.ts";
import { columnsFor, elementCondition, whereOf } from "./filter-to-where.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import type { PageBranch } from "./page-plan.ts";
import { planKey, type Parameter } from "./plan-key.ts";
import type { LeafShape, Shape } from "./shape.ts";
import type { Source } from "./sources.ts";
import { versionsWith } from "./words.ts";
import { bind, Template, type Statements } from "./statements.ts";

/** Matches are counted no further: where there are more, the order of the page leads. */
const ceiling = 5_000;
const countsKept = 2_000;
const countMilliseconds = 60_000;
/** Fetching and sorting a match costs about this many steps along an index. */
const matchCost = 2;
/** So few are fetched whatever is expected: along the order they may all stand at its end. */
const alwaysFew = 1_000;

/** How much of a page must be found, among how many records. */
interface PageSize {
  readonly wanted: number;
  readonly rows: number;
}

/** Steps along an index until a page is full, if the matches are spread evenly. */
const alongTheOrder = (matches: number, { wanted, rows }: PageSize): number =>
  Math.min((wanted * rows) / Math.max(matches, 1), rows);

/** Whether a page is better made of its matches, which are known, than looked for in its order. */
export const areFew = (matches: number, size: PageSize): boolean =>
  matches <= alwaysFew || matches * matchCost < alongTheOrder(matches, size);

/**
 * Decides what a page is to start from. Neither engine knows how many records have a given value
 * (SQLite keeps averages at best), and a wrong guess reads a whole table for a page of ten, so the
 * matches of each condition that has an index are counted, up to a ceiling, and remembered a while.
 */
export class Leads {
  readonly #statements: Statements;
  readonly #counts = new LeastRecentlyUsed<string, { matches: number; until: number }>(countsKept);

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** For a page whose order an index gives. */
  async choose(
    connection: Connection,
    query: BranchQuery,
    branch: Branch,
    { fence, ...size }: PageSize & Pick<Source, "fence">,
  ): Promise<PageBranch["lead"]> {
    let best: { at: number; matches: number } | null = null;
    for (const [at, condition] of branch.conditions.entries()) {
      if (!isIndexed(condition, query, branch)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const matches = await this.#count(connection, query, { ...branch, fence }, condition);
      if (best === null || matches < best.matches) best = { at, matches };
    }
    if (best === null || best.matches >= ceiling) return "order";
    return best.matches * matchCost < alongTheOrder(best.matches, size) ? best.at : "order";
  }

  async #count(
    connection: Connection,
    query: BranchQuery,
    branch: Branch & Pick<Source, "fence">,
    condition: LeafShape,
  ): Promise<number> {
    const { layout, now } = query;
    const { cid, turned, fence } = branch;
    const values: Bindable[] = [];
    // The fence of PostgreSQL keeps the count to what the reader sees.
    const kind = planKey({ cid, turned, fence, condition }, values);
    const key = `${layout.number} ${kind} ${JSON.stringify(values)}`;
    const known = this.#counts.peek(key);
    if (known !== undefined && known.until > performance.now()) return known.matches;
    const plan = { now, cid, turned, condition };
    const [row] = await this.#statements.run(connection, matchesTemplate, layout, plan);
    const matches = row?.matches ?? 0;
    this.#counts.set(key, { matches, until: performance.now() + countMilliseconds });
    return matches;
  }
}

interface MatchesPlan extends Pick<Branch, "cid" | "turned"> {
  readonly now: Parameter<string>;
  readonly condition: LeafShape;
}

const matchesTemplate = new Template<MatchesPlan, { matches: number }>(
  ({ condition, ...place }, target) => {
    const scope = { ...target, ...place };
    const { layout } = target;
    if (condition.kind === "words") {
      return sql<{ matches: number }>`select count(*) as matches
        from (${versionsWith(condition.words, scope)} limit ${sql.lit(ceiling)}) as m`;
    }
    const rows =
      columnsFor(condition.field, scope).field.array === true
        ? sql`${sql.table(layout.valuesTable)} as v where ${elementCondition(condition, scope)}`
        : sql`${sql.table(layout.table)} as t where t.cid = ${bind(place.cid)}
            and ${whereOf(condition, scope)}`;
    return sql<{ matches: number }>`
      select count(*) as matches from (select 1 from ${rows} limit ${sql.lit(ceiling)}) as m`;
  },
);

function isIndexed(
  condition: Shape,
  { layout }: BranchQuery,
  { turned }: Branch,
): condition is LeafShape {
  if (!("field" in condition) || condition.kind === "present" || condition.kind === "text") {
    return false;
  }
  if (condition.kind === "words") return true;
  const columns = columnsFor(condition.field, { layout });
  if (columns.turns && turned === null) return false;
  if (condition.kind === "glob" && condition.from === null) return false;
  const folded = "fold" in condition && condition.fold;
  if (columns.field.array === true) {
    return columns.type !== "number" && condition.kind !== "compare" && !folded;
  }
  if (!layout.indexed.has(condition.field)) return columns.column === "id" && !folded;
  return !folded || columns.field.case === "insensitive";
}
