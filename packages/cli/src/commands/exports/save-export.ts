import type { Client } from "@security-platform/client";
import { operationOf } from "../../calls/operations.ts";
import { saveFile } from "../../calls/transfer.ts";
import { waitForWork } from "../../calls/wait-for-work.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

/** Waits until an export has its file, however long that takes. */
export async function waitForExport(
  client: Client,
  id: string,
  context: CliContext,
): Promise<void> {
  const limits = { seconds: Infinity, signal: context.interruption() };
  await waitForWork(client, operationOf("ReadExportJobs"), [id], limits, context);
}

/** Downloads the file of an export. `path` is complete or does not exist. Returns its size in bytes. */
export const saveExport = (
  client: Client,
  id: string,
  path: string,
  context: CliContext,
): Promise<number> =>
  saveFile((transfer) => client.container.downloadExport({ id }, transfer), path, context);
