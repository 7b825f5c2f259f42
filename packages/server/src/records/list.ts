import {
  where as conditions,
  type Fields,
  type Predicate,
  type SortKey,
} from "@security-platform/fql";
import { errors } from "../foundation/errors.ts";
import type { Answer, PageData } from "../calls/answer.ts";
import type { Call } from "../calls/call.ts";
import { openCursor, sealCursor, type Cursor } from "./cursor.ts";
import {
  scanMilliseconds,
  CursorError,
  StalePositionError,
  type Page,
  type PageQuery,
  type Position,
  type Records,
  type ReadScope,
  type Resource,
} from "../store/index.ts";
import { cursorQuestion } from "./cursor-question.ts";
import { filterReader } from "./filters.ts";

/** The parameters that every query and combined operation shares. */
export interface ListParameters {
  readonly filter?: string;
  readonly sort?: string;
  readonly limit: number;
  readonly offset?: number;
  readonly after?: string;
}

type ListCall = Pick<Call, "caller" | "context" | "now"> & { readonly query: ListParameters };

interface ListOptions<Record extends object> {
  readonly resource: Resource<Record>;
  readonly shape: PageQuery["shape"];
  readonly records: NonNullable<ReadScope["records"]>;
  /** Maximum of offset + limit. Absent: only the document limits the offset. */
  readonly window?: number;
  /**
   * Whether the list supports both ways of paging. Pages by offset then also have a cursor, and the pages of
   * that cursor keep the total. A first page that contains the whole list has a total.
   */
  readonly bothWays?: boolean;
  /** The parameter that takes the cursor. Default: `after`. */
  readonly cursorParameter?: "after" | "offset";
  /** Advice in the error for pages beyond the window. Default: page with `after`. */
  readonly beyondWindow?: string;
  /** A condition in addition to `filter`, derived from the query's parameters. */
  readonly where?: Predicate;
  /** The fields that callers may filter and sort by. Default: all fields of the resource. */
  readonly fields?: Fields;
  /** Converts the requested sort keys into the sort keys of the query. No keys: the list's default order. */
  readonly order?: (requested: readonly SortKey[]) => readonly SortKey[];
  /** The source of the page. Default: the tenant's records of the resource. */
  readonly source?: Pick<Records<Record>, "page">;
}

/**
 * One page of a resource. With `offset`, pages count from the start and have a total. Otherwise the answer
 * has a cursor to send as `after`.
 */
export async function listRecords<Record extends object>(
  call: ListCall,
  options: ListOptions<Record>,
): Promise<Answer> {
  const { items, page } = await listPage(call, options);
  return options.shape === "ids"
    ? { kind: "ids", ids: items, page }
    : { kind: "records", records: items, page };
}

/**
 * A page of ids for clients that send the cursor as `offset`. Every page has the total of the first page, and
 * the time until which its cursor is valid.
 */
export async function scrollIds<Record extends object>(
  call: Omit<ListCall, "query"> & {
    readonly query: Omit<ListParameters, "offset" | "after"> & { readonly offset?: string };
  },
  options: Omit<ListOptions<Record>, "shape">,
): Promise<Answer> {
  const { offset: cursor = "", ...query } = call.query;
  const position = cursor === "" ? { offset: 0 } : { after: cursor };
  const { items, page } = await listPage(
    { ...call, query: { ...query, ...position } },
    { ...options, shape: "ids", bothWays: true, cursorParameter: "offset" },
  );
  const { limit, total = items.length, after } = page;
  const next = after === undefined ? {} : { after, expires: cursorExpiry(call, after) };
  return { kind: "ids", ids: items, page: { limit, total, ...next } };
}

/** The records of a scan are kept at least until this time. */
const cursorExpiry = ({ context }: Pick<ListCall, "context">, after: string): Date =>
  new Date(openCursor(context.cursorSecret, after).now + scanMilliseconds);

/** Like `listRecords`, for handlers that transform the records. */
export async function listPage<Record extends object>(
  call: ListCall,
  options: ListOptions<Record>,
): Promise<{ readonly items: readonly string[]; readonly page: PageData }> {
  const { query, context } = call;
  const { offset, after, limit } = query;
  if (offset !== undefined && after !== undefined) {
    throw errors.invalidRequest([
      { at: "query.after", message: "cannot be combined with offset; send one of them" },
    ]);
  }
  const { window = Number.POSITIVE_INFINITY, beyondWindow = "page with after instead" } = options;
  const { cursorParameter = "after" } = options;
  if (offset !== undefined && offset + limit > window) {
    throw errors.invalidRequest([
      {
        at: "query.offset",
        message: `offset + limit reach beyond ${window} records; ${beyondWindow}`,
      },
    ]);
  }
  const records =
    options.source ?? context.store.records(options.resource, readScope(call, options));
  const pageQuery = readQuery(call, options);
  const page = await records.page(pageQuery).catch((error: unknown) => {
    if (!(error instanceof StalePositionError)) throw error;
    throw errors.invalidCursor(
      `this cursor is too old; start again without ${cursorParameter}`,
      cursorParameter,
    );
  });
  return { items: page.items, page: pageData(call, options, page, pageQuery.now) };
}

const readScope = <Record extends object>(
  call: ListCall,
  options: ListOptions<Record>,
): ReadScope => ({
  cid: callerOf(call).cid,
  records: options.records,
});

/** A listing operation always has a caller, because it requires a scope. */
const callerOf = (call: ListCall) => call.caller as NonNullable<Call["caller"]>;

function readQuery<Record extends object>(
  call: ListCall,
  { resource, shape, where, fields, order, cursorParameter }: ListOptions<Record>,
): PageQuery {
  const { filter, sort, limit, offset, after } = call.query;
  const reader = filterReader(fields ?? resource.fields);
  const requested = reader.sortKeys(sort);
  const keys = order === undefined ? requested : order(requested);
  const predicateAt = (now: Date): Predicate => {
    const filtered = reader.predicate(filter, now);
    return where === undefined ? filtered : conditions.all(where, filtered);
  };
  if (after === undefined) {
    return {
      predicate: predicateAt(call.now),
      sort: keys,
      limit,
      shape,
      now: call.now,
      ...(offset === undefined ? {} : { offset }),
    };
  }
  const cursor = readCursor(call, resource.name, after, cursorParameter);
  const now = new Date(cursor.now);
  return {
    predicate: predicateAt(now),
    sort: keys,
    limit,
    shape,
    now,
    after: cursor.position,
  };
}

function readCursor(
  call: ListCall,
  resource: string,
  text: string,
  parameter?: "after" | "offset",
) {
  try {
    const cursor = openCursor(call.context.cursorSecret, text);
    if (cursor.question !== questionOf(call, resource)) {
      throw errors.invalidCursor(
        "this cursor belongs to another query; send the filter, sort and from_parent it was created with",
        parameter,
      );
    }
    return cursor;
  } catch (error) {
    if (!(error instanceof CursorError)) throw error;
    throw errors.invalidCursor(
      "not a cursor of this server; send the value of X-Pagination-After",
      parameter,
    );
  }
}

function pageData<Record extends object>(
  call: ListCall,
  { resource, window = Number.POSITIVE_INFINITY, bothWays = false }: ListOptions<Record>,
  page: Page,
  now: Date,
): PageData {
  const { limit, offset, after } = call.query;
  const cursorAfterPage = (progress?: Progress): string =>
    sealCursor(call.context.cursorSecret, {
      question: questionOf(call, resource.name),
      now: now.getTime(),
      position: page.next as Position,
      ...(progress === undefined ? {} : { progress }),
    });
  if (offset !== undefined) {
    const next = offset + page.items.length;
    const more = page.total !== undefined && next < page.total && page.items.length > 0;
    const isBeyond = next + limit > window;
    return {
      limit,
      offset,
      ...(page.total === undefined ? {} : { total: page.total }),
      // While records remain, there is a next page, so that no client stops too early.
      ...(more && !(bothWays && isBeyond) ? { nextOffset: next } : {}),
      ...(more && isBeyond && next < window ? { nextLimit: window - next } : {}),
      ...(bothWays && page.next !== undefined && page.total !== undefined
        ? { after: cursorAfterPage({ total: page.total, listed: next }) }
        : {}),
    };
  }
  const progress = progressOf(call, after);
  if (progress !== undefined) {
    const { total, listed } = progress;
    const further = { total, listed: listed + page.items.length };
    const more = page.next === undefined ? {} : { after: cursorAfterPage(further) };
    return { limit, offset: listed, total, ...more };
  }
  if (page.next !== undefined) return { limit, after: cursorAfterPage() };
  const isWhole = bothWays && after === undefined;
  return isWhole ? { limit, offset: 0, total: page.items.length } : { limit };
}

type Progress = NonNullable<Cursor["progress"]>;

/** The progress of a scan whose first page had a total. The cursor has already been checked. */
const progressOf = (call: ListCall, after: string | undefined): Progress | undefined =>
  after === undefined ? undefined : openCursor(call.context.cursorSecret, after).progress;

/** Identifies the list of a cursor: tenant, resource and all parameters except those for paging. */
function questionOf(call: ListCall, resource: string): string {
  const { limit: _limit, offset: _offset, after: _after, ...question } = call.query;
  const parameters = Object.entries(question).toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return cursorQuestion(callerOf(call).cid, [resource, parameters]);
}
