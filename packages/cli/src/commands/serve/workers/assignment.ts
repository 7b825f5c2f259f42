import cluster from "node:cluster";

/** Data that the primary process passes to a worker in an environment variable. */
export interface Assignment {
  /** Starts at 1. A replacement gets the number of the worker that it replaces. */
  readonly number: number;
  /** Total number of workers. */
  readonly count: number;
  readonly port: number;
}

const variable = "SECPLAT_WORKER_ASSIGNMENT";

export const assignmentVariables = (assignment: Assignment): Readonly<Record<string, string>> => ({
  [variable]: JSON.stringify(assignment),
});

/** Null in a process that is not a worker. */
export function assignmentOf(
  environment: Readonly<Record<string, string | undefined>>,
): Assignment | null {
  const text = environment[variable];
  if (cluster.isPrimary || text === undefined) return null;
  return JSON.parse(text) as Assignment;
}
