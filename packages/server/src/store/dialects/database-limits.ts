/** Settings that users can choose. */
export interface DatabaseLimits {
  /**
   * False: statements of PostgreSQL have no names, for poolers that cannot keep prepared statements apart. Default: the
   * check at the start finds out whether the pooler can.
   */
  readonly prepare?: boolean;
  /** PostgreSQL: maximum time for connecting, and for waiting for a free connection. */
  readonly connectMilliseconds?: number;
  /** Maximum time of a statement. 0: no limit. */
  readonly statementMilliseconds?: number;
}

export const defaultDatabaseLimits = {
  connectMilliseconds: 10_000,
  statementMilliseconds: 60_000,
} as const satisfies Required<Omit<DatabaseLimits, "prepare">>;
