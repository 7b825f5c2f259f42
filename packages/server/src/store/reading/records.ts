import type { Predicate } from "@security-platform/fql";
import { replacedConditions } from "./branches.ts";
import { layoutOf } from "../rows/columns.ts";
import type { Database } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { countDistinctValues, distinctValues } from "./distinct.ts";
import { facetsOver } from "./facets.ts";
import { openFieldQuery, type FieldQuery } from "./field-query.ts";
import { whereOf } from "../filters/filter-to-where.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { PageStarts } from "./page-starts.ts";
import { findPage, mayBeCompleteList, pageKeys, type FoundPage } from "./page.ts";
import type { ResolvedPageQuery, PageRow } from "./page-plan.ts";
import { conjuncts, shapeOf } from "../filters/shape.ts";
import { fieldsIn, type Source } from "./sources.ts";
import type { Counter } from "./totals.ts";
import { noTrigrams, type KnownTrigrams } from "./trigram-fields.ts";
import type {
  Facets,
  Page,
  PageQuery,
  Position,
  RecordText,
  Records,
  Resource,
} from "../types/types.ts";
import { instantText, listedRows, statesOf, type View } from "./view.ts";
import { servedPart } from "../rows/record-parts.ts";
import { readComplete, servedText, completeText } from "../statements/record-text.ts";

/** The parts that all readers of one store share. */
export interface Shared {
  readonly pageStarts: PageStarts;
  readonly totals: Counter;
  readonly trigrams: KnownTrigrams;
  readonly sealer: Sealer;
}

/** How a reader accesses the database: through the pool or inside a transaction. */
export interface Access {
  /** `fields`: the fields that the query names. */
  sources(fields: readonly string[]): Promise<readonly Source[]>;
  readonly database: Pick<Database, "read">;
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
    this.#facets ??= facetsOver((...about) => this.#about(...about));
    return this.#facets;
  }

  get(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, RecordText>> {
    return this.withView(noFields, (view) => {
      const shape = textShape(view);
      return findById(view, ids, instantText(now), shape, (text, source) =>
        shownText(this.resource, source, shape, text),
      );
    });
  }

  getComplete(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>> {
    return this.withView(noFields, (view) =>
      findById(view, ids, instantText(now), "complete", (text, source) =>
        this.#shown(source, text),
      ),
    );
  }

  getWritten(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>> {
    return this.writtenAt(ids, instantText(now));
  }

  /** Like `getWritten`, at an instant in the form of columns. */
  protected writtenAt(ids: readonly string[], at: string): Promise<ReadonlyMap<string, Record>> {
    return this.withView(noFields, (view) =>
      findById(view, ids, at, "written", (text, { cid }) =>
        this.shared.sealer.open(this.resource, cid, readComplete(this.resource, text)),
      ),
    );
  }

  page(query: PageQuery): Promise<Page> {
    const sorted = query.sort.map(({ field }) => field);
    return this.withView([...sorted, ...fieldsIn(query.predicate)], async (view) => {
      const { offset, predicate, now } = query;
      const shape = query.shape === "ids" ? query.shape : textShape(view);
      const resolved = { ...query, shape, sort: pageKeys(view.layout, query) };
      if (offset === undefined) return this.#pageOf(view, resolved, await findPage(view, resolved));
      const states = await statesOf(view);
      const first = mayBeCompleteList(resolved, states)
        ? await findPage(view, resolved, { states, rows: null })
        : null;
      if (first?.next === null) {
        return { ...this.#pageOf(view, resolved, first), total: first.rows.length };
      }
      // The matches are counted first. If there are few, the page is built from their rows.
      const { total, rows } = await this.shared.totals.matches(view, predicate, now, states);
      if (total <= offset) return { items: [], total };
      const page = first ?? (await findPage(view, resolved, { states, rows, total }));
      return { ...this.#pageOf(view, resolved, page), total };
    });
  }

  #pageOf(view: View, { shape }: ResolvedPageQuery, { rows, next }: FoundPage): Page {
    return {
      items: shape === "ids" ? rows.map(([item]) => item) : this.#texts(view, rows, shape),
      ...(next === null ? {} : { next }),
    };
  }

  count(predicate: Predicate, now: Date): Promise<number> {
    return this.withView(fieldsIn(predicate), async (view) => {
      const states = await statesOf(view);
      return (await this.shared.totals.matches(view, predicate, now, states)).total;
    });
  }

  revision(): Promise<string> {
    return this.withView(noFields, async (view) =>
      (await statesOf(view)).map(({ resource }) => resource).join("."),
    );
  }

  scan(predicate: Predicate, now: Date, batch = scanBatch): AsyncGenerator<readonly RecordText[]> {
    const read = (rows: readonly PageRow[], view: View) => this.#texts(view, rows, textShape(view));
    return this.#scan({ predicate, sort: [], limit: batch, shape: "records", now }, read);
  }

  scanIds(predicate: Predicate, now: Date, batch = scanBatch): AsyncGenerator<readonly string[]> {
    return this.#scan({ predicate, sort: [], limit: batch, shape: "ids", now }, (rows) =>
      rows.map(([id]) => id),
    );
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
    resolved: ResolvedPageQuery,
    read: (rows: readonly PageRow[], view: View) => readonly Found[],
  ): AsyncGenerator<readonly Found[]> {
    let after: Position | null = null;
    do {
      const next: ResolvedPageQuery = { ...resolved, ...(after === null ? {} : { after }) };
      const [items, end]: readonly [readonly Found[], Position | null] = await this.withView(
        fieldsIn(resolved.predicate),
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
    { now, ...options }: { now: Date; limit: number; offset?: number; after?: string },
  ): Promise<readonly string[]> {
    return this.#about(field, predicate, now, (query) => distinctValues(query, options));
  }

  countDistinct(
    field: string,
    predicate: Predicate,
    { now, ceiling }: { now: Date; ceiling: number },
  ): Promise<number> {
    return this.#about(field, predicate, now, (query) => countDistinctValues(query, ceiling));
  }

  #about<Result>(
    field: string,
    predicate: Predicate,
    now: Date,
    work: (query: FieldQuery) => Promise<Result>,
  ): Promise<Result> {
    return this.withView([field, ...fieldsIn(predicate)], async (view) =>
      work(await openFieldQuery(field, view, predicate, now)),
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

  /** `fields`: the fields that the query names. */
  protected async withView<Result>(
    fields: readonly string[],
    work: (view: View) => Promise<Result>,
  ): Promise<Result> {
    const { pageStarts, trigrams } = this.shared;
    const layout = layoutOf(this.resource);
    const sources = await this.#access.sources(fields);
    const fences = fencesOf(sources);
    return this.#access.database.read(fences, async (connection) => {
      const view = { layout, pageStarts, connection, sources, trigrams: noTrigrams };
      if (fields.length === 0 || connection.dialect.trigrams === null) return work(view);
      return work({ ...view, trigrams: await trigrams.of(connection, this.resource, fields) });
    });
  }

  #texts({ sources }: View, rows: readonly PageRow[], shape: TextShape): readonly RecordText[] {
    const texts: RecordText[] = [];
    for (const [text, , place] of rows) {
      texts.push(shownText(this.resource, sources[place], shape, text));
    }
    return texts;
  }
}

const noFields: readonly string[] = [];

/** The fences of the sources, without duplicates. Most resources have one source. */
function fencesOf(sources: readonly Source[]): readonly string[] {
  const [first, ...others] = sources;
  if (first === undefined) return noFields;
  return others.length === 0 ? [first.fence] : [...new Set(sources.map(({ fence }) => fence))];
}

type TextShape = "records" | "complete";

/** The form in which texts are read. Hidden members are included if `show` changes records. */
const textShape = ({ layout, sources }: View): TextShape =>
  layout.resource.hidden !== undefined && sources.some(({ show }) => show !== null)
    ? "complete"
    : "records";

/** The text that is served. Secrets stay encrypted, because they are not served. */
function shownText(
  resource: Resource,
  source: Source | undefined,
  shape: TextShape,
  text: string,
): RecordText {
  const show = source?.show ?? null;
  if (show === null) return text;
  if (shape === "records") return JSON.stringify(show(JSON.parse(text) as object));
  return JSON.stringify(servedPart(resource, show(readComplete(resource, text))));
}

/** If several records have the same id, finds the one of the nearest source. */
async function findById<Found>(
  view: View,
  ids: readonly string[],
  at: string,
  shape: TextShape | "written",
  read: (text: string, source: Source) => Found,
): Promise<ReadonlyMap<string, Found>> {
  const byId = new Map<string, Found>();
  const { resource } = view.layout;
  // The platform comes first in lists, but the tenant's own records are nearer.
  const isPlatformFirst = view.sources[0]?.replacedBy === 1;
  for (const source of isPlatformFirst ? view.sources.toReversed() : view.sources) {
    const missing = byId.size === 0 ? ids : ids.filter((id) => !byId.has(id));
    for (let from = 0; from < missing.length; from += idsAtOnce) {
      const scope = { now: at, expired: shape === "written" ? false : null };
      const text = (shape === "records" ? servedText : completeText)(resource, scope);
      const rows = await view.connection.tuples(sql<readonly [text: string, id: string]>`
        select ${text} as text, t.id
        from ${listedRows(view, source.cid, "id", missing.slice(from, from + idsAtOnce))}
          and t.purge_at is null ${latestConditions(view, source, at)}`);
      for (const [recordText, id] of rows) byId.set(id, read(recordText, source));
    }
  }
  return byId;
}

/** The conditions on records of a source in the latest state, each after an `and`. */
export function latestConditions(
  { layout, connection: { dialect }, sources }: View,
  source: Source,
  at: string,
): Sql {
  const { cid, condition } = source;
  const scope = { layout, dialect, cid, now: at, expired: null };
  const shapes = [
    ...(condition === null ? [] : conjuncts(shapeOf(condition, scope))),
    ...replacedConditions(source, sources, null),
  ];
  return sql.join(
    shapes.map((shape) => sql`and ${whereOf(shape, scope)}`),
    " ",
  );
}
