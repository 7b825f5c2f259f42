import { once } from "node:events";
import { connect } from "node:net";
import { findServer, type RunningServer } from "../../api/running-server.ts";
import { lockFolder, type FolderLock } from "../../database/folder-lock.ts";
import { databaseFile, databaseUrl, dataFolder, isInMemory } from "../../database/url.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { ServeOptions } from "./serve-options.ts";

/**
 * Claims the data folder for this server, until the process ends or releases it. A second server would replace the
 * announcement of the first one, and commands would send their credentials to the wrong URL. Servers in containers may
 * share a folder beside PostgreSQL: they do not see each other's processes, and take no lock.
 */
export async function claimFolder(
  options: Pick<ServeOptions, "data" | "database">,
  context: CliContext,
): Promise<FolderLock> {
  const folder = dataFolder(options, context);
  const url = databaseUrl(options, context);
  // A test double with an in-memory database may run beside the server of the folder, and is not announced then.
  if (isInMemory(url)) return noLock;
  const isPostgres = databaseFile(url) === null;
  const lock = isPostgres ? noLock : await lockFolder(folder);
  const other = await otherServer(folder);
  if (lock !== null && other === undefined) return lock;
  lock?.release();
  const by = other === undefined ? "another process" : `the server at ${other.url}`;
  const number = other === undefined ? "" : ` (process ${other.process_id})`;
  const files = isPostgres ? ", and the files of its database with --files" : "";
  throw new CommandError(
    `${folder} is in use by ${by}${number}; stop it, or choose another folder with --data${files}`,
  );
}

const noLock: FolderLock = { release: () => {} };

/**
 * The other server that is announced in the folder, if it runs. A server that was killed leaves its file, and its
 * process number may have been given to another process.
 */
export async function otherServer(folder: string): Promise<RunningServer | undefined> {
  const announced = findServer(folder);
  const isOther = announced !== undefined && announced.process_id !== process.pid;
  return isOther && (await accepts(announced)) ? announced : undefined;
}

/** Whether something accepts connections at the URL of a server. */
async function accepts({ url }: RunningServer): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    signal: AbortSignal.timeout(2_000),
  });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
