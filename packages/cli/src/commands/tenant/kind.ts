import type { Schema } from "../../calls/schema.ts";
import type { Api, ApiRecord } from "./api.ts";

/** The members of a record as they are in a file: with names instead of ids. */
export type Fields = Readonly<Record<string, unknown>>;

/** A reference to a record of another kind, by its name. */
export interface Reference {
  readonly kind: string;
  /** A text that is no name, such as `all`. */
  readonly literal?: string;
}

/** A schema of a part of a file, without references to other schemas. */
export interface FileSchema extends Schema {
  readonly [keyword: string]: unknown;
  readonly items?: FileSchema;
  readonly properties?: Readonly<Record<string, FileSchema>>;
  readonly oneOf?: readonly FileSchema[];
  readonly "x-reference"?: Reference;
  /** The member that identifies an entry of the list; null: its place. */
  readonly "x-entry-key"?: string | null;
}

/** A kind of configuration, as the operations describe it, and what the document does not say about it. */
export interface Kind {
  /** The name of the kind and of its folder. */
  readonly name: string;
  /** Lists the records, or the ids that `read` takes. */
  readonly list: string;
  /** Inputs of `list` if one call does not list everything. */
  readonly listInputs?: readonly Fields[];
  readonly read?: string;
  /** Absent for kinds that files only refer to. */
  readonly create?: string;
  /** Absent if a changed record is replaced by a new one; both exist with the same name for a moment. */
  readonly update?: string;
  readonly remove?: string;
  /** The member of the record that other records refer to. Default: `id`. */
  readonly id?: string;
  /** The members that identify a record in files; names of the last one are used in references. */
  readonly key: readonly string[];
  /** Members of requests that are not configuration, as paths such as `rules.*.created_at`. */
  readonly omitted?: readonly string[];
  /**
   * Lists whose entries have an id of the server, by path, and the member that identifies an entry in files;
   * null: its place.
   */
  readonly entries?: Readonly<Record<string, string | null>>;
  /** The kinds whose ids the members at these paths contain. */
  readonly references?: Readonly<Record<string, Reference>>;
  readonly members?: Readonly<Record<string, MemberRule>>;
  /** The records are the same in every tenant: files refer to them and do not contain them. */
  readonly isPredefined?: (record: ApiRecord) => boolean;
  /** Every tenant has the record, which can only be changed. */
  readonly isPermanent?: (record: ApiRecord) => boolean;
  /** Ends what prevents the deletion of a record. */
  readonly release?: (record: ApiRecord, api: Api) => Promise<void>;
  readonly order?: Order;
}

/** A member whose form in files is not that of requests. */
export interface MemberRule {
  /** The schema in files, from the one in requests. */
  readonly schema?: (inRequests: FileSchema) => FileSchema;
  /** The value in files, with ids in the place of names. Default: the member of the record. */
  readonly fromRecord?: (record: ApiRecord, api: Api) => unknown;
  /** The part of a value that decides whether it has changed. Default: all of it. */
  readonly comparable?: (value: unknown) => unknown;
  /** The value for a file that exists, which keeps the parts of `inFile` that the API does not return. */
  readonly kept?: (inFile: unknown, record: Fields) => unknown;
  /** The value in requests, from one with ids in the place of names. */
  readonly toRequest?: (value: unknown, variable: (name: string) => string) => unknown;
  /** Sets the member with operations of its own; both values have ids in the place of names. */
  readonly write?: (change: MemberChange, api: Api) => Promise<void>;
}

export interface MemberChange {
  readonly record: ApiRecord;
  readonly before: unknown;
  readonly after: unknown;
}

/** The order in which records of a group apply. */
export interface Order {
  /** The member whose value names the group. */
  readonly by: string;
  /** Groups that have an order. */
  readonly groups: readonly string[];
  /** The place of a record; absent if the list is in order. */
  readonly placeOf?: (record: ApiRecord) => number;
  readonly set: (group: string, ids: readonly string[], api: Api) => Promise<unknown>;
}
