import type { Fields, Predicate } from "@security-platform/fql";

export interface Tenant {
  /** 32 lower-case hex digits. */
  readonly cid: string;
  readonly name: string;
  readonly parent_cid: string | null;
  readonly created_at: string;
}

/** The tenant id under which the platform's records are stored. No tenant has it. */
export const platformCid = "00000000000000000000000000000000";

/** The reader. A resource may require more members. */
export interface ReadScope {
  readonly cid: string;
  /** For resources with inherited records: which of both to read. Default: own. */
  readonly records?: "own" | "inherited" | "both";
}

/** Reads the platform's records as they are stored, all of them. */
export interface PlatformScope {
  readonly cid: typeof platformCid;
}

/** Where records that a reader sees are stored: in its tenant, in the tenants above, or in the platform. */
export type SourceKind = "own" | "ancestor" | "platform";

/** A place where records that a reader sees are stored. */
export interface RecordSource {
  readonly kind: SourceKind;
  /** The ancestor. */
  readonly tenant: Tenant | null;
}

/**
 * What a reader sees of a resource. Every read applies it: get, page, count, scan, facets, distinct values,
 * and reads for update inside a tenant's transaction.
 */
export interface Visibility<Record extends object = object, Scope extends ReadScope = ReadScope> {
  /**
   * Where the records are stored; default `["own"]`. With own and platform records, a tenant's record
   * replaces the platform's of the same id, or of the same unique key, for that tenant.
   */
  readonly sources?: readonly SourceKind[];
  /**
   * Of platform records: the array field that holds the cids of the tenants that see a record. Without
   * it, every tenant sees all records. A running scan keeps the state of its beginning.
   */
  readonly audience?: string;
  /** A condition for records to be visible. Default: none. */
  condition?(scope: Scope, source: RecordSource): Predicate | null;
  /** A boolean field of the resource that is true exactly for records of ancestors. */
  readonly inheritedField?: string;
  /** Fields whose value depends on the reader. They replace stored fields of the same name. */
  readonly fields?: Fields;
  /** The source of the value of one of `fields`. Called only for fields that a query names. */
  fieldFor?(name: string, scope: Scope, source: RecordSource): ReaderField | Promise<ReaderField>;
  /** The record as it is served; the input has its hidden members. Default: as stored. */
  show?(record: Record, scope: Scope, source: RecordSource): Record;
  /** Sources whose records `show` does not change, so that they need not be parsed. */
  readonly shownAsStored?: readonly SourceKind[];
}

/** The value of a field that depends on the reader, in terms of stored fields. */
export type ReaderField =
  | { readonly kind: "constant"; readonly value: string | boolean | null }
  /** Texts are plain lower-case words; the order of others is undefined. */
  | {
      readonly kind: "choice";
      readonly when: Predicate;
      readonly value: string | boolean;
      readonly otherwise: string | boolean;
    }
  /** The elements of the array field `of` that are among these, or equal the text field `or`. */
  | {
      readonly kind: "elements";
      readonly of: string;
      readonly among: readonly string[];
      readonly or?: string;
    };
