import type { Fields, Predicate } from "@security-platform/fql";

export interface Tenant {
  /** 32 lower-case hex digits. */
  readonly cid: string;
  readonly name: string;
  readonly parent_cid: string | null;
  readonly created_at: string;
}

/** The tenant id of the platform's records. No tenant has this id. */
export const platformCid = "00000000000000000000000000000000";

/** The reader. A resource may require more members. */
export interface ReadScope {
  readonly cid: string;
  /** For resources with inherited records: own records, inherited records, or both. Default: own. */
  readonly records?: "own" | "inherited" | "both";
}

/** Reads the platform's records as they are stored, all of them. */
export interface PlatformScope {
  readonly cid: typeof platformCid;
}

/** Where records that a reader sees are stored: in its tenant, in an ancestor, or in the platform. */
export type SourceKind = "own" | "ancestor" | "platform";

/** A place where records that a reader sees are stored. */
export interface RecordSource {
  readonly kind: SourceKind;
  /** The ancestor. */
  readonly tenant: Tenant | null;
}

/**
 * The rules for what a reader sees of a resource. Every read applies them: get, page, count, scan, facets,
 * distinct values, and reads for update inside a tenant's transaction.
 */
export interface Visibility<Record extends object = object, Scope extends ReadScope = ReadScope> {
  /**
   * Where the records are stored. Default: `["own"]`. With own and platform records, a tenant's record
   * replaces, for that tenant, the platform record with the same id or unique key.
   */
  readonly sources?: readonly SourceKind[];
  /**
   * For platform records: the array field with the cids of the tenants that see a record. Absent: every
   * tenant sees all records. A running scan keeps the state of its start.
   */
  readonly audience?: string;
  /** A condition for records to be visible. Default: none. */
  condition?(scope: Scope, source: RecordSource): Predicate | null;
  /** A boolean field of the resource that is true exactly for records of ancestors. */
  readonly inheritedField?: string;
  /** Fields whose value depends on the reader. They replace stored fields of the same name. */
  readonly fields?: Fields;
  /**
   * Returns the value of one of `fields` in terms of stored fields. Called only for fields that a query
   * names.
   */
  fieldFor?(name: string, scope: Scope, source: RecordSource): ReaderField | Promise<ReaderField>;
  /** Returns the record as it is served. The input includes hidden members. Default: as stored. */
  show?(record: Record, scope: Scope, source: RecordSource): Record;
  /** Sources whose records `show` does not change, so that they need not be parsed. */
  readonly shownAsStored?: readonly SourceKind[];
}

/** The value of a field that depends on the reader, in terms of stored fields. */
export type ReaderField =
  | { readonly kind: "constant"; readonly value: string | boolean | null }
  /** Texts must be plain lower-case words. The order of other texts is undefined. */
  | {
      readonly kind: "choice";
      readonly when: Predicate;
      readonly value: string | boolean;
      readonly otherwise: string | boolean;
    }
  /** The elements of the array field `of` that are in `among` or equal the text field `or`. */
  | {
      readonly kind: "elements";
      readonly of: string;
      readonly among: readonly string[];
      readonly or?: string;
    };
