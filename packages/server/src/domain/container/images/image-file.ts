import { createReadStream, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cannotScan, reasonOf, type Limits } from "./limits.ts";
import { readTar } from "./read-tar.ts";
import { noUsage, unpack } from "./unpack.ts";

/**
 * The files of an image: a folder in the OCI layout, or a tar archive of `docker save` or of that
 * layout.
 */
export interface ImageFile {
  /** A manifest or another small file; undefined if there is none. */
  document(path: string): Promise<Buffer | undefined>;
  /** Size of a file in bytes; undefined if there is none. */
  sizeOf(path: string): number | undefined;
  /** Reads large files once each, in the order in which they are stored. */
  read(paths: ReadonlySet<string>, read: ReadFile): Promise<void>;
}

/** Reads the content of one file to its end. */
export type ReadFile = (path: string, chunks: AsyncIterable<Buffer>) => Promise<void>;

const chunkBytes = 1024 * 1024;

export async function openImageFile(path: string, limits: Limits): Promise<ImageFile> {
  return statSync(path).isDirectory() ? new Folder(path, limits) : Archive.open(path, limits);
}

class Folder implements ImageFile {
  readonly #folder: string;
  readonly #limits: Limits;

  constructor(folder: string, limits: Limits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  async document(path: string): Promise<Buffer | undefined> {
    const size = this.sizeOf(path);
    if (size === undefined) return undefined;
    checkDocument(path, size, this.#limits);
    return readFile(this.#place(path));
  }

  sizeOf(path: string): number | undefined {
    const stats = statSync(this.#place(path), { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.size : undefined;
  }

  async read(paths: ReadonlySet<string>, read: ReadFile): Promise<void> {
    for (const path of paths) {
      const chunks = createReadStream(this.#place(path), { highWaterMark: chunkBytes });
      await read(path, chunks).finally(() => chunks.destroy());
    }
  }

  #place(path: string): string {
    return join(this.#folder, path);
  }
}

/** An archive that is read twice: first its documents, then its layers. */
class Archive implements ImageFile {
  readonly #path: string;
  readonly #limits: Limits;
  readonly #documents = new Map<string, Buffer>();
  readonly #sizes = new Map<string, number>();
  /** Archives of `docker save` contain shared layers as links. */
  readonly #links = new Map<string, string>();

  private constructor(path: string, limits: Limits) {
    this.#path = path;
    this.#limits = limits;
  }

  static async open(path: string, limits: Limits): Promise<Archive> {
    const archive = new Archive(path, limits);
    await archive.#index();
    return archive;
  }

  async document(path: string): Promise<Buffer | undefined> {
    const name = this.#target(path);
    const size = this.#sizes.get(name);
    if (size === undefined) return undefined;
    checkDocument(path, size, this.#limits);
    const cachedDocument = this.#documents.get(name);
    if (cachedDocument !== undefined) return cachedDocument;
    const parts: Buffer[] = [];
    await this.read(new Set([path]), async (_, chunks) => {
      for await (const chunk of chunks) parts.push(chunk);
    });
    return Buffer.concat(parts);
  }

  sizeOf(path: string): number | undefined {
    return this.#sizes.get(this.#target(path));
  }

  async read(paths: ReadonlySet<string>, read: ReadFile): Promise<void> {
    const pathsByTarget = Map.groupBy(paths, (path) => this.#target(path));
    await readTar(this.#chunks(), "the archive", this.#limits, {
      entry: ({ type, path }) => (type === "file" && pathsByTarget.has(path) ? "stream" : "skip"),
      stream: async ({ path }, chunks) => {
        const [name = path] = pathsByTarget.get(path) ?? [];
        await read(name, chunks);
      },
    });
  }

  /** Small files are cached, because most of them are manifests. */
  async #index(): Promise<void> {
    await readTar(this.#chunks(), "the archive", this.#limits, {
      entry: ({ type, path, size, target }) => {
        if (this.#sizes.size >= this.#limits.entries) throw cannotScan("it has too many files");
        if (type === "link" || type === "symlink") this.#links.set(path, target);
        if (type !== "file") return "skip";
        this.#sizes.set(path, size);
        return size <= 256 * 1024 ? "whole" : "skip";
      },
      whole: ({ path }, content) => {
        this.#documents.set(path, content);
      },
    });
  }

  #target(path: string): string {
    let name = path;
    for (let steps = 0; steps < 16 && this.#links.has(name); steps += 1) {
      name = this.#links.get(name) ?? name;
    }
    return name;
  }

  /** The content of the archive, decompressed: it may come from `docker save … | gzip`. */
  #chunks(): AsyncIterable<Buffer> {
    return unpack(
      createReadStream(this.#path, { highWaterMark: chunkBytes }),
      { name: "the archive", size: statSync(this.#path).size },
      this.#limits,
      noUsage(),
    );
  }
}

function checkDocument(path: string, size: number, { documentBytes }: Limits): void {
  if (size <= documentBytes) return;
  throw cannotScan(`${path} has ${size} bytes; expected a manifest of at most ${documentBytes}`);
}

/** The JSON value of a document. */
export function parseDocument<Value>(path: string, content: Buffer): Value {
  try {
    return JSON.parse(content.toString("utf8")) as Value;
  } catch (error) {
    throw cannotScan(`${path} is not JSON: ${reasonOf(error)}`);
  }
}
