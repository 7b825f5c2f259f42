import {
  ControlledClock,
  systemClock,
  type Clock,
  type DiskBlobs,
  type Store,
} from "@security-platform/server/internal";
import { openFiles } from "../../database/files.ts";
import { makeFolder } from "../../database/folder.ts";
import { open } from "../../database/open.ts";
import { dataFolder } from "../../database/url.ts";
import type { DemoCredentials } from "../../demo/credentials.ts";
import { ensureDemo } from "../../demo/ensure-demo.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { poolSizeOf } from "./database-connections.ts";
import type { ServeOptions } from "./serve-options.ts";

export interface Stores {
  readonly store: Store;
  readonly blobs: DiskBlobs;
  readonly clock: Clock;
}

/** Opens the resources of one of the processes of a server; creates a missing database. */
export async function openStores(
  options: ServeOptions,
  context: CliContext,
  processes?: number,
): Promise<Stores> {
  const blobs = openFiles(options, context);
  const poolSize = poolSizeOf(options, processes);
  const { dev = false, databaseReplica: replicaUrl } = options;
  const clock = dev ? new ControlledClock() : systemClock;
  const opening = { ...options, poolSize, replicaUrl, clock, restorable: dev, create: true };
  return { blobs, clock, store: await open(opening, context) };
}

/** Fills an empty database, unless `--no-demo`. */
export async function prepareDemo(
  options: ServeOptions,
  context: CliContext,
  { store, blobs }: Stores,
): Promise<DemoCredentials | null> {
  if (!options.demo) return null;
  const folder = dataFolder(options, context);
  makeFolder(folder);
  return ensureDemo(store, blobs, folder);
}
