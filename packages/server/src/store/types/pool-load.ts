/** The connections or threads of one purpose, and the work that waits for one. */
export interface PoolLoad {
  readonly pool: "read" | "write" | "replica";
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}
