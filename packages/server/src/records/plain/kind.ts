import type { Fields } from "@security-platform/fql";
import type { Problem } from "../../errors.ts";
import type { Resource, Transaction } from "../../store/types.ts";
import type { Author } from "../write.ts";

/** What every plain record has. */
export interface PlainRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly name: string;
  /** It was deleted, and stays to be read. Absent from kinds whose records are gone once deleted. */
  readonly deleted?: boolean;
}

/** A kind of record as other kinds know it. Its functions are methods, so that a `Kind` of any record is a `Kind`. */
export interface Kind<Record extends PlainRecord = PlainRecord> {
  readonly resource: Resource<Record>;
  /** What callers may filter and sort by, where that is less than the resource's fields. */
  readonly fields?: Fields;
  /** How one is called in messages. */
  readonly noun: string;
  /** Comes with the platform, and nobody changes it. Without it every record is the tenant's. */
  isPredefined?(record: Record): boolean;
}

/** A record as it is to be stored, what it was, and the place in the request that describes it. */
export interface Wanted<Record> {
  readonly at: string;
  /** Null for a new record. */
  readonly before: Record | null;
  readonly after: Record;
}

/**
 * A kind of record whose operations differ only in the members. `createRecords` and `deleteRecords`
 * need no more than this. `Input` is what a request says of one record.
 */
export interface CreatableKind<Record extends PlainRecord, Input> extends Kind<Record> {
  make(input: Input, author: Author): Record;
  /** The record once it is deleted. Absent: it is removed. */
  retire?(record: Record, now: Date): Record;
  /** Problems of a record or its input that show without looking at other records. */
  problems?(planned: Wanted<Record>, input: Input): readonly Problem[];
  /** Maximum number of records of a tenant. */
  readonly maximum?: number;
  /** Members that no two records of a tenant share, in any case; deleted records do not count. */
  readonly unique?: readonly (string & keyof Record)[];
  readonly references?: readonly Reference<Record>[];
  /** Further conflicts with other records (409). */
  conflicts?(
    transaction: Transaction,
    planned: readonly Wanted<Record>[],
    now: Date,
  ): Promise<readonly Problem[]>;
  /** Completes the record from other records, after all checks. May throw. */
  finish?(transaction: Transaction, planned: Wanted<Record>, now: Date): Promise<Record>;
}

/** A kind of record that can also be changed, with `changeRecords`. */
export interface PlainKind<Record extends PlainRecord, Input, Changes> extends CreatableKind<
  Record,
  Input | Changes
> {
  make(input: Input, author: Author): Record;
  /** Members that the changes leave out stay. */
  change(record: Record, changes: Changes, author: Author): Record;
}

/** Records of another kind that a record names. They must exist and not be deleted. */
export interface Reference<Record> {
  /** The member that names them: one, a list, or an object in which `namesIn` finds them. */
  readonly member: string & keyof Record;
  readonly target: Kind;
  namesIn?(record: Record): readonly Named[];
  /** Of lists that both sides show: how the other side keeps its own. */
  readonly mirror?: Mirror;
}

/** The id of a record that another one names, and where it does: `.rules[1].web_locations[0]`. */
export interface Named {
  readonly id: string;
  readonly place: string;
}

export interface Mirror {
  /** The list of the other side. */
  readonly member: string;
  /** Where the other side says when it was last changed. */
  readonly changedAt: string;
  /** As many as the list can have. */
  readonly most: number;
  /** Records that come with the platform take part, too: the list is not what they are. */
  readonly takesAny?: boolean;
}

/** Records of another kind that may name a record, which then cannot be deleted. */
export interface Use<Record extends PlainRecord = PlainRecord> {
  /** The kind of the users. */
  readonly kind: Kind;
  /** The field of theirs that names what they use. */
  readonly field: string;
  /** What they name of a record. Default: its id. */
  readonly keyOf?: (record: Record) => string;
  /** The keys that a user names; without it, the members at `field`. */
  readonly keysIn?: (user: PlainRecord) => readonly string[];
  /** Whether a user that names the key means this record. */
  readonly means?: (user: PlainRecord, record: Record) => boolean;
}
