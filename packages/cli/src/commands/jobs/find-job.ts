import type { Job, Store } from "@security-platform/server/internal";
import { offeringListed } from "../../options/offering-listed.ts";
import { readInteger } from "../../options/read-integer.ts";
import { CommandError } from "../../terminal/exit-codes.ts";

/** Reads the id of a job. */
export const readJob = offeringListed(readInteger(1), "jobs list", "id");

/** Number of jobs among which the closest id is searched. */
const searched = 10_000;

/** The job with this id; the error suggests the closest id. */
export async function findJob(store: Store, id: number): Promise<Job> {
  const job = await store.jobs.get(id);
  if (job !== null) return job;
  const others = (await store.jobs.list({ limit: searched })).map((other) => other.id);
  const [nearest] = others.toSorted((left, right) => Math.abs(left - id) - Math.abs(right - id));
  throw new CommandError(
    nearest === undefined
      ? `there is no job ${id}, nor any other`
      : `there is no job ${id}; the nearest is ${nearest} (secplat jobs list shows them)`,
  );
}
