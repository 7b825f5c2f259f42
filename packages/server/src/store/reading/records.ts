import type { Predicate } from "@security-platform/fql";
import { sql } from "kysely";
import { replacedConditions } from "./branches.ts";
import { layoutOf } from "../rows/columns.ts";
import type { Connection } from "../dialects/dialect.ts";
import { countDistinctValues, distinctValues } from "./distinct.ts";
import { facetsOver } from "./facets.ts";
import { questionAbout } from "./field-source.ts";
import { whereOf } from "../filters/filter-to-where.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { PageStarts } from "./page-starts.ts";
import { findPage, mayBeWhole, type FoundPage, type PageQuestion } from "./page.ts";
import type { PageRow } from "./page-plan.ts";
import { Parameter } from "../statements/plan-key.ts";
import { conjuncts, shapeOf, type Shape } from "../filters/shape.ts";
import { fieldsIn, type Source } from "./sources.ts";
import { bind, Template, type Statements } from "../statements/statements.ts";
import type { Counter } from "./totals.ts";
import type {
  Facets,
  Page,
  PageQuery,
  Position,
  RecordText,
  Records,
  Resource,
} from "../types/types.ts";
import { instantText, queryOf, statesOf, type View } from "./view.ts";
import { servedPart } from "../rows/record-parts.ts";
import { readComplete, servedText, completeText } from "../statements/record-text.ts";

/** The parts that all readers of one store share. */
export interface Shared {
  readonly statements: Statements;
  readonly pageStarts: PageStarts;
  readonly totals: Counter;
  readonly sealer: Sealer;
}

/** How a reader accesses the database: through the pool or inside a transaction. */
export interface Access {
  /** `fields`: the fields that the query names. Returns no promise if nothing needs to be read. */
  sources(fields: readonly string[]): readonly Source[] | Promise<readonly Source[]>;
  use<Result>(
    sources: readonly Source[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result>;
}

const scanBatch = 1_000;
/** Maximum number of records that one statement looks up by id. On SQLite, other requests run in between. */
const idsAtOnce = 1_000;

/** What a reader sees of one resource. */
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
    this.#facets ??= facetsOver((fields, work) => this.look(fields, work));
    return this.#facets;
  }

  get(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, RecordText>> {
    return this.look(noFields, (view) => {
      const shape = textShape(view);
      return this.#find(view, ids, now, shape, (text, source) =>
        shownText(this.resource, source, shape, text),
      );
    });
  }

  getComplete(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>> {
    return this.look(noFields, (view) =>
      this.#find(view, ids, now, "complete", (text, source) => this.#shown(source, text)),
    );
  }

  /** If several records have the same id, finds the one of the nearest source. */
  async #find<Found>(
    view: View,
    ids: readonly string[],
    now: Date,
    shape: TextsPlan["shape"],
    read: (text: string, source: Source) => Found,
  ): Promise<ReadonlyMap<string, Found>> {
    const byId = new Map<string, Found>();
    for (const source of nearestFirst(view.sources)) {
      const missing = byId.size === 0 ? ids : ids.filter((id) => !byId.has(id));
      if (missing.length === 0) break;
      for (let from = 0; from < missing.length; from += idsAtOnce) {
        const some = missing.slice(from, from + idsAtOnce);
        const rows = await textsOf(view, source, some, now, shape);
        for (const [doc, id] of rows) byId.set(id, read(doc, source));
      }
    }
    return byId;
  }

  page(query: PageQuery): Promise<Page> {
    const sorted = query.sort.map(({ field }) => field);
    return this.look([...sorted, ...fieldsIn(query.predicate)], async (view) => {
      const { offset, predicate, now } = query;
      const question = { ...query, shape: query.shape === "ids" ? query.shape : textShape(view) };
      if (offset === undefined) return this.#pageOf(view, question, await findPage(view, question));
      const states = await statesOf(view);
      const first = mayBeWhole(question, states)
        ? await findPage(view, question, { states, rows: null })
        : null;
      if (first?.next === null) {
        return { ...this.#pageOf(view, question, first), total: first.rows.length };
      }
      // The matches are counted first. If there are few, the page is built from their rows.
      const { total, rows } = await this.shared.totals.matches(view, predicate, now, states);
      if (total <= offset) return { items: [], total };
      const page = first ?? (await findPage(view, question, { states, rows }));
      return { ...this.#pageOf(view, question, page), total };
    });
  }

  #pageOf(view: View, { shape }: PageQuestion, { rows, next }: FoundPage): Page {
    return {
      items: shape === "ids" ? rows.map(([item]) => item) : this.#texts(view, rows, shape),
      ...(next === null ? {} : { next }),
    };
  }

  count(predicate: Predicate, now: Date): Promise<number> {
    return this.look(fieldsIn(predicate), async (view) => {
      const states = await statesOf(view);
      return (await this.shared.totals.matches(view, predicate, now, states)).total;
    });
  }

  revision(): Promise<string> {
    return this.look(noFields, async (view) =>
      (await statesOf(view)).map(({ resource }) => resource).join("."),
    );
  }

  scan(predicate: Predicate, now: Date, batch = scanBatch): AsyncGenerator<readonly RecordText[]> {
    const read = (rows: readonly PageRow[], view: View) => this.#texts(view, rows, textShape(view));
    return this.#scan({ predicate, sort: [], limit: batch, shape: "records", now }, read);
  }

  scanComplete(
    predicate: Predicate,
    now: Date,
    batch = scanBatch,
  ): AsyncGenerator<readonly Record[]> {
    return this.#scan({ predicate, sort: [], limit: batch, shape: "complete", now }, (rows, view) =>
      rows.flatMap(([text, , place]) => {
        const source = view.sources[place];
        return source === undefined ? [] : [this.#shown(source, text)];
      }),
    );
  }

  async *#scan<Found>(
    question: PageQuestion,
    read: (rows: readonly PageRow[], view: View) => readonly Found[],
  ): AsyncGenerator<readonly Found[]> {
    let after: Position | null = null;
    do {
      const next: PageQuestion = { ...question, ...(after === null ? {} : { after }) };
      const [items, end]: readonly [readonly Found[], Position | null] = await this.look(
        fieldsIn(question.predicate),
        async (view) => {
          const shape = next.shape === "records" ? textShape(view) : next.shape;
          const page = await findPage(view, { ...next, shape });
          return [read(page.rows, view), page.next];
        },
      );
      if (items.length > 0) yield items;
      after = end;
    } while (after !== null);
  }

  distinct(
    field: string,
    predicate: Predicate,
    { now, ...options }: { now: Date; limit: number; after?: string },
  ): Promise<readonly string[]> {
    return this.look([field, ...fieldsIn(predicate)], async (view) =>
      distinctValues(
        await questionAbout(field, view, queryOf(view, predicate, now, [field])),
        options,
      ),
    );
  }

  countDistinct(
    field: string,
    predicate: Predicate,
    { now, ceiling }: { now: Date; ceiling: number },
  ): Promise<number> {
    return this.look([field, ...fieldsIn(predicate)], async (view) =>
      countDistinctValues(
        await questionAbout(field, view, queryOf(view, predicate, now, [field])),
        ceiling,
      ),
    );
  }

  /** A complete record as the reader sees it, with its secrets. */
  #shown(source: Source, text: string): Record {
    const record = this.shared.sealer.open(
      this.resource,
      source.cid,
      readComplete(this.resource, text),
    );
    return source.show === null ? record : (source.show(record) as Record);
  }

  /** Every read uses this method, so it creates few promises. `fields`: the fields that the query names. */
  protected look<Result>(
    fields: readonly string[],
    work: (view: View) => Promise<Result>,
  ): Promise<Result> {
    const use = (sources: readonly Source[]): Promise<Result> =>
      this.#access.use(sources, (connection) => work(this.#view(connection, sources)));
    const sources = this.#access.sources(fields);
    return sources instanceof Promise ? sources.then(use) : use(sources);
  }

  #view(connection: Connection, sources: readonly Source[]): View {
    const { statements, pageStarts } = this.shared;
    return { layout: layoutOf(this.resource), statements, pageStarts, connection, sources };
  }

  #texts(
    { sources }: View,
    rows: readonly PageRow[],
    shape: TextsPlan["shape"],
  ): readonly RecordText[] {
    if (sources.every(({ show }) => show === null)) return rows.map(([text]) => text);
    return rows.map(([text, , place]) => shownText(this.resource, sources[place], shape, text));
  }
}

const noFields: readonly string[] = [];

/** The platform comes first in lists, but the tenant's own records are nearer. */
const nearestFirst = (sources: readonly Source[]): readonly Source[] =>
  sources[0]?.replacedBy === 1 ? sources.toReversed() : sources;

/** The form in which texts are read. Hidden members are included if `show` changes records. */
const textShape = ({ layout, sources }: View): TextsPlan["shape"] =>
  layout.resource.hidden !== undefined && sources.some(({ show }) => show !== null)
    ? "complete"
    : "records";

/** A complete record as the reader sees it. Secrets stay encrypted, because they are not served. */
function shown<Record extends object>(
  resource: Resource<Record>,
  source: Source | undefined,
  text: string,
): Record {
  const record = readComplete(resource, text);
  const show = source?.show ?? null;
  return show === null ? record : (show(record) as Record);
}

/** The text that is served. It is parsed only if the source has `show`. */
function shownText(
  resource: Resource,
  source: Source | undefined,
  shape: TextsPlan["shape"],
  text: string,
): RecordText {
  const show = source?.show ?? null;
  if (shape === "complete") {
    return JSON.stringify(servedPart(resource, shown(resource, source, text)));
  }
  return show === null ? text : JSON.stringify(show(JSON.parse(text) as object));
}

interface TextsPlan {
  readonly cid: Parameter<string>;
  readonly ids: Parameter<readonly string[]>;
  readonly now: Parameter<string>;
  readonly conditions: readonly Shape[];
  readonly shape: "records" | "complete";
}

type TextTuple = readonly [doc: string, id: string];

const textsTemplate = new Template<TextsPlan, TextTuple>((plan, { dialect, layout }) => {
  const scope = { layout, dialect, cid: plan.cid, now: plan.now, expired: null };
  const doc = (plan.shape === "complete" ? completeText : servedText)(layout.resource, scope);
  const conditions = plan.conditions.map((condition) => sql`and ${whereOf(condition, scope)}`);
  return sql<TextTuple>`
    select ${doc} as doc, t.id
    from ${dialect.elements(bind(plan.ids), "text")} cross join ${sql.table(layout.table)} as t
    where t.id = listed.value and t.cid = ${bind(plan.cid)} and t.valid_to is null and t.purge_at is null
    ${sql.join(conditions, sql` `)}`;
});

/** The conditions on live records of a source, in the latest state. */
export function latestConditions(
  { layout, statements: { dialect }, sources }: Pick<View, "layout" | "statements" | "sources">,
  source: Source,
): readonly Shape[] {
  const { condition } = source;
  if (condition === null && source.replacedBy === null) return noConditions;
  const shape = condition === null ? [] : conjuncts(shapeOf(condition, { layout, dialect }));
  return [...shape, ...replacedConditions(source, sources, null)];
}

const noConditions: readonly Shape[] = [];

function textsOf(
  view: View,
  source: Source,
  ids: readonly string[],
  now: Date,
  shape: TextsPlan["shape"],
): Promise<readonly TextTuple[]> {
  const { statements, connection, layout } = view;
  return statements.runTuples(connection, textsTemplate, layout, {
    cid: new Parameter(source.cid),
    ids: new Parameter(ids),
    now: new Parameter(instantText(now)),
    conditions: latestConditions(view, source),
    shape,
  });
}
