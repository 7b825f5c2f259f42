import cluster from "node:cluster";

/** What the primary process tells a worker at its start, by way of an environment variable. */
export interface Assignment {
  /** From 1. A worker that replaces another takes its number. */
  readonly number: number;
  /** Number of all workers. */
  readonly count: number;
  readonly port: number;
}

const variable = "SECPLAT_WORKER_ASSIGNMENT";

export const assignmentVariables = (assignment: Assignment): Readonly<Record<string, string>> => ({
  [variable]: JSON.stringify(assignment),
});

/** Null in a process that is no worker. */
export function assignmentOf(
  environment: Readonly<Record<string, string | undefined>>,
): Assignment | null {
  const text = environment[variable];
  if (cluster.isPrimary || text === undefined) return null;
  return JSON.parse(text) as Assignment;
}
