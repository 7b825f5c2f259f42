import { constants, type Stats } from "node:fs";
import { open, readdir, realpath, stat, type FileHandle } from "node:fs/promises";
import { join, sep } from "node:path";
import {
  HostFileError,
  type FetchedFile,
  type HostFile,
  type HostFiles,
  type HostPath,
  type OpenHostFile,
} from "./host-files.ts";

const hostPattern = /^[0-9a-f]{32}$/;
const hashPattern = /^[0-9a-f]{64}$/;
const sessionPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/**
 * Flags for opening a file. They refuse a symlink, and do not wait for the other end of a pipe. Windows has neither.
 */
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface Opened {
  readonly file: FileHandle;
  readonly stats: Stats;
}

/**
 * Hosts as folders of one root: `<root>/<aid>/var/log/auth.log`, `<root>/<aid>/C/Users/…`. Files that
 * sessions have fetched are at `<root>/sessions/<session>/<aid>/<sha256>/<name>`. Only regular files are
 * served, and nothing outside a host's folder, whatever symlinks it contains.
 */
export class HostDirectories implements HostFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async find(aid: string, path: HostPath): Promise<HostFile> {
    const { file, stats } = await this.#openOn(aid, path);
    await file.close();
    return { name: nameOf(path), bytes: stats.size };
  }

  async open(aid: string, path: HostPath): Promise<OpenHostFile> {
    return asOpen(nameOf(path), await this.#openOn(aid, path));
  }

  async hostsOf({ session, sha256 }: FetchedFile): Promise<readonly string[]> {
    if (!sessionPattern.test(session)) return [];
    const hosts: string[] = [];
    for (const aid of await namesIn(join(this.#root, "sessions", session))) {
      if (!hostPattern.test(aid)) continue;
      const names = await namesIn(join(this.#root, "sessions", session, aid, sha256));
      if (names.length > 0) hosts.push(aid);
    }
    return hosts;
  }

  async openFetched(aid: string, { session, sha256 }: FetchedFile): Promise<OpenHostFile> {
    const missing = new HostFileError(
      "missing",
      `session ${session} has fetched no file ${sha256} from host ${aid}`,
    );
    const isWellFormed =
      sessionPattern.test(session) && hostPattern.test(aid) && hashPattern.test(sha256);
    if (!isWellFormed) throw missing;
    const folder = await realpathOf(join(await this.#rootPath(), "sessions", session, aid, sha256));
    const [name] = folder === null ? [] : await namesIn(folder);
    const opened = folder && name !== undefined ? await openInside(folder, [name]) : null;
    if (name === undefined || opened === null) throw missing;
    return asOpen(name, opened);
  }

  async #openOn(aid: string, { text, segments }: HostPath): Promise<Opened> {
    const folder = join(await this.#rootPath(), aid);
    // A symlink could lead into the folder of another host.
    if (!hostPattern.test(aid) || (await realpathOf(folder)) !== folder) {
      throw new HostFileError("away", `host ${aid} is not connected`);
    }
    const opened = await openInside(folder, segments);
    if (opened === null) throw new HostFileError("missing", `host ${aid} has no file ${text}`);
    return opened;
  }

  async #rootPath(): Promise<string> {
    const root = await realpathOf(this.#root);
    if (root === null) throw new HostFileError("away", "no host is connected");
    return root;
  }
}

const nameOf = ({ segments }: HostPath): string => segments.at(-1) ?? segments[0];

const asOpen = (name: string, { file, stats }: Opened): OpenHostFile => ({
  name,
  bytes: stats.size,
  content: file.createReadStream(),
});

/** Opens a regular file below a folder; null for everything else, and for what a symlink leads out to. */
async function openInside(folder: string, segments: readonly string[]): Promise<Opened | null> {
  const path = join(folder, ...segments);
  const real = await realpathOf(path);
  if (real === null || !real.startsWith(folder + sep)) return null;
  const file = await open(real, readOnly).catch(unlessExhausted(null));
  if (file === null) return null;
  try {
    const stats = await file.stat();
    if (stats.isFile() && (await isStill(path, real, stats))) return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return null;
}

/** Whether the opened file is the one at the path, and no folder of the path was replaced meanwhile. */
async function isStill(path: string, real: string, { dev, ino }: Stats): Promise<boolean> {
  const there = await stat(real).catch(() => null);
  return there?.dev === dev && there.ino === ino && (await realpathOf(path)) === real;
}

/** Null for a path that does not exist, is too long, or may not be read. */
const realpathOf = (path: string): Promise<string | null> => realpath(path).catch(() => null);

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(unlessExhausted([]))).toSorted();

/** A server with too many open files does not know whether there is a file. */
const unlessExhausted =
  <Nothing>(nothing: Nothing) =>
  (error: unknown): Nothing => {
    if (["EMFILE", "ENFILE"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return nothing;
  };
