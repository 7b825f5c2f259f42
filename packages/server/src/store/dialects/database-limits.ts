/** Settings that users can choose. */
export interface DatabaseLimits {
  /**
   * False: statements of PostgreSQL have no names, for poolers that cannot keep prepared statements apart. Default true.
   */
  readonly prepare?: boolean;
  /** PostgreSQL: maximum time for connecting, and for waiting for a free connection. */
  readonly connectMilliseconds?: number;
  /** Maximum time of a statement. 0: no limit. */
  readonly statementMilliseconds?: number;
}

export const defaultDatabaseLimits = {
  prepare: true,
  connectMilliseconds: 10_000,
  statementMilliseconds: 60_000,
} as const satisfies Required<DatabaseLimits>;
