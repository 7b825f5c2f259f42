import { LRUCache } from "lru-cache";
import { platformCid } from "../../types/visibility.ts";
import { sql, type Sql } from "../sql.ts";

/**
 * The position in the write-ahead log up to which the connection sees all changes, as a number of bytes. On a primary,
 * changes that are seen may be further than what is on the disk, so this is the end of what is written to memory.
 */
export const logPosition: Sql = sql`(case when pg_is_in_recovery()
  then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end - '0/0'::pg_lsn)::bigint`;

/** A mark of one tenant: what the primary had when it looked up a token. */
export interface WriteMark {
  /** The timeline of the primary, and the numbers of the last writes of the tenant and of the platform. */
  readonly writes: string;
  /** See `logPosition`. */
  readonly position: number;
}

/** Another one after each promotion of a replica, which may lack the last writes and give their numbers again. */
const timeline: Sql = sql`case when pg_is_in_recovery()
  then '' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end`;

/** Follows the columns of a select from `access_tokens`: its mark. */
export const markColumns: Sql = sql`,
  ${timeline} || ' ' || (select string_agg(w.number::text, ' ' order by w.cid) from write_numbers as w
    where w.resource = '' and w.cid in (access_tokens.cid, ${sql.literal(platformCid)})) as writes,
  ${logPosition} as position`;

const marksKept = 10_000;

/**
 * What the readers of each tenant have to see. Each request looks up its token on the primary, which says what the last
 * write of its tenant is. So a caller sees all writes of its tenant that were acknowledged before its request, whichever
 * server they went through, and the writes of other tenants make nobody wait.
 */
export class WriteMarks {
  readonly #marks = new LRUCache<string, WriteMark>({ max: marksKept });
  #latest: number;

  /** `first`: a position that every reader has to see. */
  constructor(first: number) {
    this.#latest = first;
  }

  /** The position of the latest look-up. It includes what was acknowledged before it. */
  get latest(): number {
    return this.#latest;
  }

  /** Look-ups may end in another order than they were made. */
  note(cid: string, { writes, position: seen }: WriteMark): void {
    const position = withoutPageHeader(seen);
    this.#latest = Math.max(this.#latest, position);
    const known = this.#marks.get(cid);
    if (known !== undefined && (known.writes === writes || position <= known.position)) return;
    // While the numbers are the same, all writes of the tenant are before the first of these positions.
    this.#marks.set(cid, { writes, position });
  }

  /**
   * The position that a reader of the tenant `cid` has to see. What it reads of other tenants may be its own writes as
   * well, such as those of a parent to its children.
   */
  neededBy(cid: string, read: readonly string[]): number {
    const isOwn = read.every((each) => each === cid);
    return (isOwn ? this.#marks.get(cid)?.position : undefined) ?? this.#latest;
  }
}

const pageBytes = 8_192;
const segmentBytes = 16 * 2 ** 20;
/** The headers of the first page of a segment, and of other pages. */
const [segmentHeader, pageHeader] = [40, 24];

/**
 * At the end of a page, a primary names the place after the header of the next page, and a replica the one before it. A
 * replica would seem to be behind until the next change.
 */
function withoutPageHeader(position: number): number {
  const isFirst = position % segmentBytes < pageBytes;
  const header = isFirst ? segmentHeader : pageHeader;
  return position % pageBytes === header ? position - header : position;
}
