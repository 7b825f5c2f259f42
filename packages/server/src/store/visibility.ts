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

/** Who reads. A resource may need more of its readers than this. */
export interface ReadScope {
  readonly cid: string;
  /** Of resources with inherited records: which of both. Default own. */
  readonly records?: "own" | "inherited" | "both";
}

/** Reads the platform's records as they are stored, all of them. */
export interface PlatformScope {
  readonly cid: typeof platformCid;
}

/** Where records that a reader sees are stored: with its tenant, with those above it, or with the platform. */
export type SourceKind = "own" | "ancestor" | "platform";

/** One place where records that a reader sees are stored. */
export interface RecordSource {
  readonly kind: SourceKind;
  /** The ancestor. */
  readonly tenant: Tenant | null;
}

/**
 * What a reader sees of a resource. Every read applies it: get, page, count, scan, facets, distinct
 * values, and inside a transaction of a tenant the reads for update, too.
 */
export interface Visibility<Record extends object = object, Scope extends ReadScope = ReadScope> {
  /**
   * Where the records are stored; default `["own"]`. With own and platform records, a tenant's record
   * replaces the platform's of the same id, or of the same unique key, for that tenant.
   */
  readonly sources?: readonly SourceKind[];
  /**
   * Of platform records: the array field that holds the cids of the tenants that see a record. Without
   * it every tenant sees all. A scan under way sees what it saw when it began.
   */
  readonly audience?: string;
  /** A condition that records must satisfy to be seen. Default: none. */
  condition?(scope: Scope, source: RecordSource): Predicate | null;
  /** A boolean field of the resource that is true exactly for records of ancestors. */
  readonly inheritedField?: string;
  /** Fields whose value depends on the reader. They take the place of stored fields of the same name. */
  readonly fields?: Fields;
  /** Where the value of one of `fields` comes from. Called only for fields that a query names. */
  fieldFor?(name: string, scope: Scope, source: RecordSource): ReaderField | Promise<ReaderField>;
  /** How a record is shown. It comes with its hidden members. Default: as it is stored. */
  show?(record: Record, scope: Scope, source: RecordSource): Record;
  /** Sources whose records `show` does not change: they need not be parsed. */
  readonly shownAsStored?: readonly SourceKind[];
}

/** The value of a field that depends on the reader, in terms of stored fields. */
export type ReaderField =
  | { readonly kind: "constant"; readonly value: string | boolean | null }
  /** Texts are plain lower-case words: nothing is said of the order of others. */
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
