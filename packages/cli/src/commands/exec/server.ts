import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBlobs, serve, systemClock, type ServedPlatform } from "@security-platform/server";
import {
  openStoreAt,
  seedWorld,
  worldClient,
  type World,
} from "@security-platform/server/internal";
import { writeCredentials, type DemoCredentials } from "../../demo/credentials.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { printable } from "../../terminal/printable.ts";
import { argumentWord } from "../../terminal/shell-word.ts";
import { calledAs } from "../serve/called-as.ts";
import { openTls } from "../serve/tls.ts";

/** Options of `secplat exec`. */
export interface ExecOptions {
  readonly compat?: boolean;
  readonly tls?: boolean;
  readonly seed?: World;
  readonly keep?: boolean;
}

/** What the program must know of the server. */
export interface TemporaryServer {
  readonly url: string;
  readonly credentials: DemoCredentials;
  /** Folder of the database. */
  readonly folder: string;
  /** The certificate of the local CA; null without TLS. */
  readonly caFile: string | null;
}

/**
 * Runs `work` with a server on a free port that has a new database. Uses the server in this process instead
 * of `secplat serve`, whose options take the user's own database from the environment.
 */
export async function withServer<Result>(
  options: ExecOptions,
  context: CliContext,
  work: (server: TemporaryServer) => Promise<Result>,
): Promise<Result> {
  const folder = await createFolder();
  try {
    const tls = await openTls({ data: folder, tls: options.tls === true }, context);
    const blobs = openBlobs({ url: `file:${join(folder, "blobs")}`, clock: systemClock });
    const database = `sqlite:${join(folder, "platform.sqlite")}`;
    const seeded = options.seed === undefined ? null : await seed(options.seed, database, blobs);
    const platform = await serve({
      database,
      blobs,
      compat: options.compat === true,
      ...forTests,
      ...(tls === null ? {} : { tls: tls.config }),
    });
    try {
      const credentials = seeded ?? (await createCredentials(platform));
      writeCredentials(folder, credentials);
      return await work({ url: platform.url, credentials, folder, caFile: tls?.caFile ?? null });
    } finally {
      await platform.close();
    }
  } finally {
    await leave(folder, options, context);
  }
}

/** Limits that no test suite reaches, and the control plane for faults. */
const forTests = {
  development: true,
  limits: {
    requestsPerMinute: 0,
    tokenRequestsPerMinute: 0,
    failedAuthenticationsPerMinute: 0,
    overloadMilliseconds: 0,
  },
};

async function createFolder(): Promise<string> {
  try {
    // Only this user can enter it.
    return await realpath(await mkdtemp(join(tmpdir(), "secplat-exec-")));
  } catch (error) {
    throw new CommandError(
      `cannot create a folder for the database in ${tmpdir()}: ${describeError(error)}; ` +
        "choose another with TMPDIR",
    );
  }
}

async function createCredentials({ newCredentials }: ServedPlatform): Promise<DemoCredentials> {
  const { clientId, clientSecret, cid } = await newCredentials({ name: "exec" });
  return { client_id: clientId, client_secret: clientSecret, cid };
}

/** Fills the database before the server starts, whose background work would disturb. */
async function seed(
  world: World,
  url: string,
  blobs: ReturnType<typeof openBlobs>,
): Promise<DemoCredentials> {
  const store = await openStoreAt({ url, clock: systemClock });
  try {
    const { cid } = await seedWorld(store, { world, seed: 1, clock: systemClock, blobs });
    const { client_id, client_secret } = await worldClient(store, systemClock, {
      cid,
      name: "exec",
    });
    return { client_id, client_secret, cid };
  } finally {
    await store.close();
  }
}

async function leave(
  folder: string,
  { keep = false, compat, tls }: ExecOptions,
  { stderr, environment }: CliContext,
): Promise<void> {
  if (keep) {
    const flags = `${compat === true ? " --compat" : ""}${tls === true ? " --tls" : ""}`;
    stderr.write(
      `secplat: kept ${printable(folder)}; continue with: ${calledAs(environment)} serve --data ${argumentWord(folder)}${flags}\n`,
    );
    return;
  }
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  } catch (error) {
    stderr.write(`secplat: cannot delete ${folder}: ${describeError(error)}\n`);
  }
}
