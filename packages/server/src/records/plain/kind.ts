import type { Fields } from "@security-platform/fql";
import type { Problem } from "../../foundation/errors.ts";
import type { Resource, Transaction } from "../../store/index.ts";
import type { Author } from "../write.ts";

/** Members of every plain record. */
export interface PlainRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly name: string;
  /** Whether the record is deleted but still readable. Absent from kinds that remove deleted records. */
  readonly deleted?: boolean;
}

/**
 * The parts of a kind that other kinds need. Its functions are methods, so that a `Kind` of any record type
 * is assignable to `Kind`.
 */
export interface Kind<Record extends PlainRecord = PlainRecord> {
  readonly resource: Resource<Record>;
  /** The fields that callers may filter and sort by. Default: all fields of the resource. */
  readonly fields?: Fields;
  /** The word for a record of the kind in messages. */
  readonly noun: string;
  /**
   * Whether the record is built in and read-only. Absent: every record is the
   * tenant's.
   */
  isPredefined?(record: Record): boolean;
}

/** A record to store, its previous state, and its place in the request. */
export interface PlacedChange<Record> {
  readonly at: string;
  /** Null for a new record. */
  readonly before: Record | null;
  readonly after: Record;
}

/**
 * A kind of record whose operations differ only in its members. `createRecords` and `deleteRecords` need no
 * more. `Input` is the data of one record in a request.
 */
export interface CreatableKind<Record extends PlainRecord, Input> extends Kind<Record> {
  make(input: Input, author: Author): Record;
  /** Returns the record in its deleted form. Absent: the record is removed. */
  retire?(record: Record, now: Date): Record;
  /** Problems of a record or its input that can be found without other records. */
  problems?(planned: PlacedChange<Record>, input: Input): readonly Problem[];
  /** Maximum number of records of a tenant. */
  readonly maximum?: number;
  /** Members that must be unique among a tenant's records, ignoring case. Deleted records do not count. */
  readonly unique?: readonly (string & keyof Record)[];
  readonly references?: readonly Reference<Record>[];
  /** Further conflicts with other records (409). */
  conflicts?(
    transaction: Transaction,
    planned: readonly PlacedChange<Record>[],
    now: Date,
  ): Promise<readonly Problem[]>;
  /** Completes the record from other records, after all checks. May throw. */
  finish?(transaction: Transaction, planned: PlacedChange<Record>, now: Date): Promise<Record>;
}

/** A kind of record that can also be changed, with `changeRecords`. */
export interface PlainKind<Record extends PlainRecord, Input, Changes> extends CreatableKind<
  Record,
  Input | Changes
> {
  make(input: Input, author: Author): Record;
  /** Members that the changes omit keep their values. */
  change(record: Record, changes: Changes, author: Author): Record;
}

/** A reference to records of another kind. They must exist and not be deleted. */
export interface Reference<Record> {
  /** The member with the ids: a single id, a list, or an object in which `namesIn` finds them. */
  readonly member: string & keyof Record;
  readonly target: Kind;
  namesIn?(record: Record): readonly Named[];
  /** For lists that both records keep: the list of the referenced record. */
  readonly otherSide?: OtherSide;
}

/** The id of a referenced record, and its place in the referring record: `.rules[1].web_locations[0]`. */
export interface Named {
  readonly id: string;
  readonly place: string;
}

/** The list of ids that the referenced record keeps. Both lists change together. */
export interface OtherSide {
  /** The member of the other side that lists the ids. */
  readonly member: string;
  /** The member of the other side with the time of the last change. */
  readonly changedAt: string;
  /** Maximum length of the list. */
  readonly most: number;
  /**
   * Whether predefined records take part as well. A change of the list does not count as a change of such a
   * record.
   */
  readonly takesAny?: boolean;
}

/** References from records of another kind. They prevent a deletion. */
export interface Use<Record extends PlainRecord = PlainRecord> {
  /** The kind of the referring records. */
  readonly kind: Kind;
  /** The field with the references. */
  readonly field: string;
  /** The referenced key of a record. Default: its id. */
  readonly keyOf?: (record: Record) => string;
  /** The name of a referring record in messages, in addition to its id. Default: its name. */
  readonly nameOf?: (user: PlainRecord) => string;
  /** The keys that a referring record names. Default: the values of `field`. */
  readonly keysIn?: (user: PlainRecord) => readonly string[];
  /** Whether a referring record with the key refers to this record. */
  readonly means?: (user: PlainRecord, record: Record) => boolean;
}
