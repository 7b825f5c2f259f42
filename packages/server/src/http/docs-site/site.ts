import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Guides } from "../../foundation/config.ts";
import { archiveName, checkArchive, filesOfArchive } from "./archive.ts";
import { DocsUnreadableError, type DocsFilesByName } from "./files.ts";
import { filesOfFolder } from "./folder.ts";

/** The guide to errors. It has an anchor for each kind of error. */
const guideToErrors = "guides/errors.html";

/** Whether a folder contains a site: as an archive, or as files. */
export const holdsSite = (folder: string): boolean =>
  [archiveName, "index.html"].some((name) => existsSync(join(folder, name)));

/** The archive of a folder that is to be read; null if the folder contains the site as files. */
const archiveIn = (folder: string): string | null => {
  const archive = join(folder, archiveName);
  return !existsSync(archive) && holdsSite(folder) ? null : archive;
};

/** Why a page of the site cannot be served; null if all can. Reads all content of an archive, which takes about 10 ms. */
export async function siteProblem(folder: string): Promise<DocsUnreadableError | null> {
  const archive = archiveIn(folder);
  if (archive === null) return null;
  try {
    await checkArchive(archive);
    return null;
  } catch (error) {
    if (error instanceof DocsUnreadableError) return error;
    throw error;
  }
}

/** The documentation site of a folder, which is read again after a failure. */
export class DocsSite implements Guides {
  readonly #folder: string;
  readonly #logger: Logger;
  #files: Promise<DocsFilesByName> | undefined;
  #areServed = false;
  #isReported = false;

  private constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  static async open(folder: string, logger: Logger): Promise<DocsSite> {
    const site = new DocsSite(folder, logger);
    // The server starts without a site that cannot be read.
    await site.files().catch((error: unknown) => site.discard(error));
    return site;
  }

  get areServed(): boolean {
    return this.#areServed;
  }

  /** @throws {DocsUnreadableError} */
  files(): Promise<DocsFilesByName> {
    this.#files ??= this.#read();
    return this.#files;
  }

  /** Forgets what was read: the package may be installed again while the server runs. */
  discard(error: unknown): void {
    this.#files = undefined;
    this.#areServed = false;
    if (!(error instanceof DocsUnreadableError) || this.#isReported) return;
    this.#isReported = true;
    this.#logger.error(
      `${error.message}; the documentation is not served: install the package again`,
    );
  }

  async #read(): Promise<DocsFilesByName> {
    const archive = archiveIn(this.#folder);
    const files = archive === null ? filesOfFolder(this.#folder) : await filesOfArchive(archive);
    this.#areServed = await canBeRead(files, guideToErrors);
    return files;
  }
}

async function canBeRead(files: DocsFilesByName, name: string): Promise<boolean> {
  const open = files.get(name)?.contents.get("identity");
  if (open === undefined) return false;
  try {
    await open();
    return true;
  } catch {
    return false;
  }
}
