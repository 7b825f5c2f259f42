/** `behind`: it lacks changes of a second ago or more. `away`: it cannot be used. */
export type ReplicaState = "serving" | "behind" | "away";

/** What the replica of a database does for its reads. */
export interface ReplicaLoad {
  readonly state: ReplicaState;
  /**
   * The reads that a replica may serve, since the start: those that it served, and those that the primary served because
   * the replica lacked a change that the reader had to see, or could not be used.
   */
  readonly reads: Readonly<Record<"served" | "behind" | "away", number>>;
}
