import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { FileCall, FileProgress } from "@security-platform/client";
import type { CalledOperation } from "@security-platform/spec";
import { describeError } from "../terminal/describe-error.ts";
import { drained } from "../terminal/drained.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { resolved } from "./schema.ts";

/** Options of a call that sends or receives a file. */
export interface TransferOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FileProgress) => void;
}

/** Shows the progress of a file on a terminal while `work` sends or receives it. */
export async function withTransfer<Result>(
  label: string,
  { stderr }: Pick<CliContext, "stderr">,
  signal: AbortSignal,
  work: (options: TransferOptions) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(stderr, label, { unit: "bytes" });
  try {
    return await work({
      signal,
      onProgress: ({ transferredBytes: bytes, totalBytes: total }) =>
        progress.update(bytes, total === undefined || total === 0 ? null : bytes / total),
    });
  } finally {
    progress.end();
  }
}

/** Saves the file of a response, which is complete or does not exist. Returns its size in bytes. */
export const saveFile = (
  call: (options: TransferOptions) => FileCall,
  path: string,
  context: Pick<CliContext, "stderr" | "workingFolder" | "interruption">,
): Promise<number> =>
  withTransfer("downloading", context, context.interruption(), async (options) => {
    const target = resolve(context.workingFolder, path);
    await refuseTarget(target);
    const { data } = await call(options).toFile(target);
    return data.bytes;
  });

/** A rename would replace a device, and fail on a folder. */
async function refuseTarget(path: string): Promise<void> {
  const target = await stat(path).catch(() => undefined);
  if (target === undefined || target.isFile()) return;
  const remedy = target.isDirectory() ? "add the name of the file" : "use standard output";
  throw new CommandError(`cannot write ${path}: it is not a file; ${remedy}`, exitCodes.usage);
}

/** Writes the file of a response to standard output, as fast as it is read. */
export async function printFile(
  call: (options: TransferOptions) => FileCall,
  context: CliContext,
): Promise<void> {
  const { stdout } = context;
  const signal = context.interruption();
  await withTransfer("downloading", context, signal, async (options) => {
    const { data } = await call(options).stream();
    for await (const chunk of data) {
      stdout.write(chunk);
      await drained(stdout, signal);
    }
  });
}

/** Whether the body has files, which are sent from the disk. */
export const hasFiles = ({ requestBody }: Pick<CalledOperation, "requestBody">): boolean =>
  requestBody?.mediaType === "multipart/form-data";

/** Replaces the paths of files in a form by files that the client reads while it sends them. */
export async function withFiles(
  operation: CalledOperation,
  body: unknown,
  { workingFolder }: CliContext,
): Promise<unknown> {
  if (!hasFiles(operation)) return body;
  const { properties = {} } = resolved(operation.requestBody?.schema);
  const entries = Object.entries(body as object).map(async ([name, value]: [string, unknown]) => {
    const isFile = resolved(properties[name]).format === "binary";
    if (!isFile || typeof value !== "string") return [name, value] as const;
    const path = resolve(workingFolder, value);
    await requireFile(path, value);
    return [name, { path, name: basename(value) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function requireFile(path: string, shown: string): Promise<void> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new CommandError(`cannot read ${shown}: ${describeError(error)}`, exitCodes.usage);
  });
  if (stats.isFile()) return;
  throw new CommandError(`cannot read ${shown}: it is not a file`, exitCodes.usage);
}
