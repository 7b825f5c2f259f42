/** Requests of a key, such as a tenant, that count towards a limit. */
export interface LimitCount {
  readonly limit: string;
  readonly key: string;
  readonly count: number;
}

/** The requests of a key in its current window, on all servers of the database. */
export interface LimitTotal extends LimitCount {
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** The counts of limits that the servers of a database share. They may be lost if the database crashes. */
export interface LimitCounts {
  /** Adds counts of different keys and returns their totals. The window of a key begins with its first count. */
  add(
    counts: readonly LimitCount[],
    now: Date,
    windowMilliseconds: number,
  ): Promise<readonly LimitTotal[]>;
  /** Deletes windows that have ended. Returns their number. */
  purge(now: Date): Promise<number>;
}
