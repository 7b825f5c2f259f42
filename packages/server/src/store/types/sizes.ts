/** What a tenant stores after one of its writes. */
export interface TenantSize {
  /** Bytes of its live records as JSON, and of their files. */
  readonly bytes: number;
  /** The number of the write. */
  readonly number: number;
}

/** A committed transaction of this process. */
export interface Growth extends TenantSize {
  readonly cid: string;
  /** Negative if it removed more than it added. */
  readonly bytes: number;
  /** Bytes of all records that it wrote, which the database has grown by at least. */
  readonly written: number;
}

/** How much is stored. */
export interface Sizes {
  /** Size of the database in bytes, without the free space that SQLite uses again. */
  database(): Promise<number>;
  /**
   * Adds up what a tenant stores, in parts between which others work. Null if its last write is still `known`, so that
   * there is nothing to add up.
   */
  tenant(cid: string, known?: number): Promise<TenantSize | null>;
  /** Calls `listener` after each commit of this process. Until there is one, nothing is measured. */
  onGrowth(listener: (growth: Growth) => void): void;
}
