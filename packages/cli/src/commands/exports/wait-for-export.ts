import { setTimeout } from "node:timers/promises";
import type { Client } from "@security-platform/client";
import type { ExportJob } from "@security-platform/client/container";
import { CommandError } from "../../terminal/exit-codes.ts";

const firstPause = 100;
const longestPause = 5_000;
const ended: readonly ExportJob["status"][] = ["DONE", "FAILED", "CANCELED", "RESULT_DELETED"];

/** Waits until an export has ended. Fails if it has no file. */
export async function waitForExport(client: Client, id: string): Promise<ExportJob> {
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    const { data } = await client.container.getExports({ ids: [id] });
    const [job] = data;
    if (job !== undefined && ended.includes(job.status)) {
      if (job.status === "DONE") return job;
      throw new CommandError(`export ${id} is ${job.status} and has no file; create it again`);
    }
    await setTimeout(pause);
  }
}
