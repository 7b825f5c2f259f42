import type { Store } from "../../src/store/types/types.ts";
import { administer } from "./raw-sql.ts";

interface HeldJob {
  readonly id: number | string;
  readonly lease: string;
}

/**
 * Makes the jobs of a killed process free at once, as the end of its leases does later. So the leases of
 * a test can be long, and a running process keeps its jobs on a busy machine.
 */
export async function endLeases(
  { jobs }: Pick<Store, "jobs">,
  databaseUrl: string,
  pid: number | undefined,
): Promise<void> {
  const held = `select id, lease from jobs where state = 'running' and worker like '%/${pid}'`;
  for (const { id, lease } of (await administer(databaseUrl, held)) as readonly HeldJob[]) {
    await jobs.renew({ job: Number(id), token: lease }, new Date(0));
  }
}
