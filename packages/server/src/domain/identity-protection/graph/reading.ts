import type { Predicate, SortKey } from "@security-platform/fql";
import type { Caller } from "../../../calls/call.ts";
import type { Context } from "../../../calls/context.ts";
import { cursorQuestion } from "../../../records/cursor-question.ts";
import { openCursor, sealCursor } from "../../../records/cursor.ts";
import {
  CursorError,
  StalePositionError,
  type Position,
  type Records,
  type Resource,
} from "../../../store/index.ts";
import { entities, type Entity } from "../entities.ts";
import { incidents, type Incident } from "../incidents.ts";
import { timelineEvents, type TimelineEvent } from "../timeline.ts";
import { Batch } from "./batch.ts";
import type { Connection, ConnectionReader } from "./connection.ts";
import { OpenIncidents } from "./open-incidents.ts";
import { QueryRefusal } from "./refusal.ts";

interface PageQuestion {
  readonly predicate: Predicate;
  readonly sort: readonly SortKey[];
  readonly first: number;
  readonly after: string | null | undefined;
  /** The field and its arguments, except the paging arguments. */
  readonly question: readonly unknown[];
}

interface ReadingCall {
  readonly caller: Pick<Caller, "cid">;
  readonly context: Pick<Context, "store" | "cursorSecret">;
  readonly now: Date;
}

/** Maximum number of records in a response. A larger response would delay all other requests. */
const mostRecords = 50_000;
const mostValues = 1_000_000;

/** Reads the records for the resolvers of one query, and makes each look-up only once. */
export class Reading implements ConnectionReader {
  readonly now: Date;
  readonly entities: Records<Entity>;
  readonly incidents: Records<Incident>;
  readonly timeline: Records<TimelineEvent>;
  readonly entityById: Batch<Entity>;
  readonly incidentById: Batch<Incident>;
  readonly openIncidents: OpenIncidents;
  readonly #cid: string;
  readonly #secret: string;
  readonly #room: number;
  #nodes = 0;

  /** `fields`: the number of fields in the query, an upper bound for the fields of one record. */
  constructor({ caller, context, now }: ReadingCall, fields: number) {
    const { cid } = caller;
    const of = <Kind extends object>(resource: Resource<Kind>) =>
      context.store.records(resource, { cid });
    this.now = now;
    this.#room = Math.min(mostRecords, Math.floor(mostValues / Math.max(1, fields)));
    this.#cid = cid;
    this.#secret = context.cursorSecret;
    this.entities = of(entities);
    this.incidents = of(incidents);
    this.timeline = of(timelineEvents);
    this.entityById = new Batch((ids) => this.entities.getComplete(ids, now));
    this.incidentById = new Batch((ids) => this.incidents.getComplete(ids, now));
    this.openIncidents = new OpenIncidents(this);
  }

  /** The reason to discard the response, if any. */
  get refusal(): QueryRefusal | null {
    if (this.#nodes <= this.#room) return null;
    return new QueryRefusal(
      `the response would have more than ${this.#room} records; request fewer records or fewer fields`,
    );
  }

  /**
   * Adds to the number of records in the response, duplicates included, and returns whether it is within
   * the limit. Beyond the limit all lists are empty: this ends the query sooner than an error in each list.
   */
  hasRoomFor(nodes: number): boolean {
    this.#nodes += nodes;
    return this.#nodes <= this.#room;
  }

  /** A page of a top-level list of the query. */
  async page<Node extends object>(
    records: Records<Node>,
    { predicate, sort, first, after, question }: PageQuestion,
  ): Promise<Connection<Node>> {
    const position = this.open(after, question);
    const page = await records
      .page({
        predicate,
        sort,
        limit: first,
        shape: "records",
        now: this.now,
        ...(position === undefined ? {} : { after: position }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof StalePositionError)) throw error;
        throw new QueryRefusal("after: this cursor is too old; start again without after");
      });
    const texts = this.hasRoomFor(page.items.length) ? page.items : [];
    return {
      nodes: texts.map((text) => JSON.parse(text) as Node),
      pageInfo: this.pageInfo(page.next, question),
    };
  }

  pageInfo(
    next: Position | undefined,
    question: readonly unknown[],
  ): Connection<unknown>["pageInfo"] {
    const end = next === undefined ? null : this.#seal(next, question);
    return { hasNextPage: end !== null, endCursor: end };
  }

  /** The position in a cursor. Throws `QueryRefusal` for a cursor of another list. */
  open(cursor: string | null | undefined, question: readonly unknown[]): Position | undefined {
    if (cursor === undefined || cursor === null) return undefined;
    try {
      const opened = openCursor(this.#secret, cursor);
      if (opened.question === this.#named(question)) return opened.position;
    } catch (error) {
      if (!(error instanceof CursorError)) throw error;
    }
    throw new QueryRefusal(
      "after: not a cursor of this list; send the endCursor of a page with the same arguments",
    );
  }

  readonly #seal = (position: Position, question: readonly unknown[]): string =>
    sealCursor(this.#secret, {
      question: this.#named(question),
      now: this.now.getTime(),
      position,
    });

  readonly #named = (question: readonly unknown[]): string => cursorQuestion(this.#cid, question);
}
