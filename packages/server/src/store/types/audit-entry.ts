export interface AuditEntry {
  readonly at: Date;
  /**
   * The uid of the user that the API client acts as, or the client id. Without a client: `cli` or `server`.
   */
  readonly actor: string;
  /** The API client, even if it acts as a user. Null for commands. */
  readonly client_id: string | null;
  /** Operation id or CLI command. */
  readonly operation: string;
  readonly trace_id: string | null;
  readonly comment: string | null;
  /** Ids of the written records. */
  readonly ids: readonly string[];
  /** The tenant of the trail, for a write to platform records. Default: the tenant of the transaction. */
  readonly cid?: string;
}

export interface StoredAuditEntry extends Omit<AuditEntry, "at" | "cid"> {
  readonly number: number;
  readonly cid: string;
  readonly at: string;
}
