import type { Predicate } from "@security-platform/fql";
import { sql } from "kysely";
import type { Awaitable } from "../awaitable.ts";
import { layoutOf } from "./columns.ts";
import type { Connection } from "./dialects/dialect.ts";
import { countDistinctValues, distinctValues } from "./distinct.ts";
import { facetsOver } from "./facets.ts";
import { questionAbout } from "./field-source.ts";
import { Parameter } from "./plan-key.ts";
import type { Leads } from "./lead.ts";
import { findPage, type FoundPage, type PageQuestion } from "./page.ts";
import type { PageRow } from "./page-plan.ts";
import { bind, FixedTemplate, Template, type Statements } from "./statements.ts";
import type { Counter } from "./totals.ts";
import type { Facets, Page, PageQuery, Position, RecordText, Records, Resource } from "./types.ts";
import { instantText, queryOf, standingsOf, type Owner, type View } from "./view.ts";
import { readWhole, servedText, wholeText } from "./whole.ts";

/** What all readers of one store share. */
export interface Shared {
  readonly statements: Statements;
  readonly leads: Leads;
  readonly totals: Counter;
}

/** How a reader reaches the database: through the pool, or inside a transaction. */
export interface Access {
  /** Nearest first; at once where nothing must be looked up. */
  owners(): readonly Owner[] | Promise<readonly Owner[]>;
  use<Result>(
    owners: readonly Owner[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result>;
  /** As `use`; at once where the engine can. */
  useNow<Result>(
    owners: readonly Owner[],
    work: (connection: Connection) => Awaitable<Result>,
  ): Awaitable<Result>;
}

const scanBatch = 1_000;

/** Reads of one resource, of the tenants in sight. */
export class RecordReader<Record extends object> implements Records<Record> {
  readonly resource: Resource<Record>;
  protected readonly shared: Shared;
  readonly #access: Access;
  #facets: Facets | undefined;

  constructor(resource: Resource<Record>, shared: Shared, access: Access) {
    this.resource = resource;
    this.shared = shared;
    this.#access = access;
  }

  get facets(): Facets {
    this.#facets ??= facetsOver((work) => this.look(work));
    return this.#facets;
  }

  get(ids: readonly string[], now: Date): Awaitable<ReadonlyMap<string, RecordText>> {
    return this.#find(ids, now, "records", (text, owner) => seenBy(this.resource, owner, text));
  }

  async whole(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>> {
    return this.#find(ids, now, "whole", (text, owner) => wholeSeenBy(this.resource, owner, text));
  }

  #find<Found>(
    ids: readonly string[],
    now: Date,
    shape: "records" | "whole",
    read: (text: string, owner: Owner) => Found,
  ): Awaitable<ReadonlyMap<string, Found>> {
    return this.#lookNow((view) => {
      const found = new Map<string, Found>();
      /** Looks in ancestors for what was not found nearer; without promises where the rows are none. */
      const findFrom = (first: number): Awaitable<ReadonlyMap<string, Found>> => {
        for (let at = first; ; at += 1) {
          const owner = view.owners[at];
          const missing = found.size === 0 ? ids : ids.filter((id) => !found.has(id));
          if (owner === undefined || missing.length === 0) return found;
          const add = (rows: readonly TextRow[]): void => {
            for (const { id, doc } of rows) found.set(id, read(doc, owner));
          };
          const rows = textsOf(view, owner, missing, now, shape);
          if (rows instanceof Promise) return rows.then(add).then(() => findFrom(at + 1));
          add(rows);
        }
      };
      return findFrom(0);
    });
  }

  page(query: PageQuery): Promise<Page> {
    return this.look(async (view) => {
      const { offset, predicate, now } = query;
      if (offset === undefined) return this.#pageOf(view, query, await findPage(view, query));
      // Counted first: where few records match, the page is made of those.
      const standings = await standingsOf(view);
      const matches = await this.shared.totals.matches(view, predicate, now, standings);
      const { total } = matches;
      if (total <= offset) return { items: [], total };
      const found = await findPage(view, query, { standings, rows: matches.rows });
      return { ...this.#pageOf(view, query, found), total };
    });
  }

  #pageOf(view: View, { shape }: PageQuery, { rows, next }: FoundPage): Page {
    return {
      items: shape === "ids" ? rows.map(([item]) => item) : this.#texts(view, rows),
      ...(next === null ? {} : { next }),
    };
  }

  count(predicate: Predicate, now: Date): Promise<number> {
    return this.look(async (view) => {
      const standings = await standingsOf(view);
      return (await this.shared.totals.matches(view, predicate, now, standings)).total;
    });
  }

  standing(): Promise<string> {
    return this.look(async (view) =>
      (await standingsOf(view)).map(({ resource }) => resource).join("."),
    );
  }

  scan(predicate: Predicate, now: Date, batch = scanBatch): AsyncGenerator<readonly RecordText[]> {
    return this.#scan({ predicate, sort: [], limit: batch, shape: "records", now }, (rows, view) =>
      this.#texts(view, rows),
    );
  }

  scanWhole(predicate: Predicate, now: Date, batch = scanBatch): AsyncGenerator<readonly Record[]> {
    return this.#scan({ predicate, sort: [], limit: batch, shape: "whole", now }, (rows, view) =>
      rows.map(([text, , tenant]) => wholeSeenBy(this.resource, view.owners[tenant], text)),
    );
  }

  async *#scan<Found>(
    question: PageQuestion,
    read: (rows: readonly PageRow[], view: View) => readonly Found[],
  ): AsyncGenerator<readonly Found[]> {
    let after: Position | null = null;
    do {
      const next: PageQuestion = { ...question, ...(after === null ? {} : { after }) };
      // oxlint-disable-next-line no-await-in-loop -- the next batch begins where this one ends
      const [found, end]: readonly [readonly Found[], Position | null] = await this.look(
        async (view) => {
          const page = await findPage(view, next);
          return [read(page.rows, view), page.next];
        },
      );
      if (found.length > 0) yield found;
      after = end;
    } while (after !== null);
  }

  distinct(
    field: string,
    predicate: Predicate,
    { now, ...options }: { now: Date; limit: number; after?: string },
  ): Promise<readonly string[]> {
    return this.look(async (view) =>
      distinctValues(await questionAbout(field, view, queryOf(view, predicate, now)), options),
    );
  }

  countDistinct(
    field: string,
    predicate: Predicate,
    { now, ceiling }: { now: Date; ceiling: number },
  ): Promise<number> {
    return this.look(async (view) =>
      countDistinctValues(await questionAbout(field, view, queryOf(view, predicate, now)), ceiling),
    );
  }

  protected look<Result>(work: (view: View) => Promise<Result>): Promise<Result> {
    const use = (owners: readonly Owner[]): Promise<Result> =>
      this.#access.use(owners, (connection) => work(this.#view(connection, owners)));
    const owners = this.#access.owners();
    return owners instanceof Promise ? owners.then(use) : use(owners);
  }

  /** As `look`; at once where the engine can. */
  #lookNow<Result>(work: (view: View) => Awaitable<Result>): Awaitable<Result> {
    const use = (owners: readonly Owner[]): Awaitable<Result> =>
      this.#access.useNow(owners, (connection) => work(this.#view(connection, owners)));
    const owners = this.#access.owners();
    return owners instanceof Promise ? owners.then(use) : use(owners);
  }

  #view(connection: Connection, owners: readonly Owner[]): View {
    const { statements, leads } = this.shared;
    return { layout: layoutOf(this.resource), statements, leads, connection, owners };
  }

  #texts({ owners }: View, rows: readonly PageRow[]): readonly RecordText[] {
    if (owners.every(({ ancestor }) => ancestor === null)) return rows.map(([text]) => text);
    return rows.map(([text, , tenant]) => seenBy(this.resource, owners[tenant], text));
  }
}

interface TextsPlan {
  readonly cid: Parameter<string>;
  readonly wanted:
    { readonly id: Parameter<string> } | { readonly ids: Parameter<readonly string[]> };
  readonly now: Parameter<string>;
  readonly audience: Parameter<string> | null;
  readonly shape: "records" | "whole";
}

interface TextRow {
  readonly id: string;
  readonly doc: string;
}

const textsTemplate = new Template<TextsPlan, TextRow>((plan, { dialect, layout }) => {
  const scope = { now: plan.now, turned: null };
  const doc = (plan.shape === "whole" ? wholeText : servedText)(layout.resource, scope);
  const known =
    plan.audience === null
      ? sql``
      : sql`and ${dialect.contains(sql`t.audience`, bind(plan.audience))}`;
  const rows = sql`${sql.table(layout.table)} as t`;
  const from =
    "id" in plan.wanted
      ? sql`${rows} where t.id = ${bind(plan.wanted.id)}`
      : sql`${dialect.elements(bind(plan.wanted.ids), "text")} cross join ${rows}
          where t.id = wanted.value`;
  return sql<TextRow>`
    select t.id, ${doc} as doc from ${from}
    and t.cid = ${bind(plan.cid)} and t.valid_to is null and t.purge_at is null ${known}`;
});

/** One record that every caller of the tenant may see: the most frequent read. */
const recordTemplate = new FixedTemplate(["cid", "id", "now"], ({ cid, id, now }, target) =>
  textsTemplate.build({ cid, wanted: { id }, now, audience: null, shape: "records" }, target),
);

function textsOf(
  { layout, statements, connection }: View,
  { cid, audience }: Owner,
  ids: readonly string[],
  now: Date,
  shape: TextsPlan["shape"],
): Awaitable<readonly TextRow[]> {
  const [only] = ids;
  const single = ids.length === 1 && only !== undefined;
  if (single && shape === "records" && audience === undefined) {
    return statements.rows(connection, recordTemplate, layout, [cid, only, instantText(now)]);
  }
  return statements.run(connection, textsTemplate, layout, {
    cid: new Parameter(cid),
    wanted: single ? { id: new Parameter(only) } : { ids: new Parameter(ids) },
    now: new Parameter(instantText(now)),
    audience: audience === undefined ? null : new Parameter(audience),
    shape,
  });
}

/** A whole record as `owner`'s child, or the tenant itself, sees it. */
function wholeSeenBy<Record extends object>(
  resource: Resource<Record>,
  owner: Owner | undefined,
  text: string,
): Record {
  const record = readWhole(resource, text);
  const ancestor = owner?.ancestor ?? null;
  return ancestor === null ? record : (resource.inherited?.view(record, ancestor) ?? record);
}

/** An ancestor's record reads as its resource says; the one case in which a read parses a record. */
function seenBy<Record extends object>(
  { inherited }: Resource<Record>,
  owner: Owner | undefined,
  text: RecordText,
): RecordText {
  const ancestor = owner?.ancestor;
  if (ancestor === undefined || ancestor === null || inherited === undefined) return text;
  return JSON.stringify(inherited.view(JSON.parse(text) as Record, ancestor));
}
