import { Parser, type ReadEntry } from "tar";
import { cannotScan, ImageError, reasonOf, type Limits } from "./limits.ts";

export interface TarEntry {
  readonly type: "file" | "folder" | "link" | "symlink" | "other";
  /** The path without a slash at its start or end: `etc/os-release`. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly mode: number;
  /** The target of a link, relative to the root of the archive; empty for other entries. */
  readonly target: string;
}

export interface TarReader {
  /**
   * Called for each entry in order. `stream` and `whole` select the method that receives the
   * content.
   */
  entry(entry: TarEntry): "skip" | "stream" | "whole";
  stream?(entry: TarEntry, chunks: AsyncIterable<Buffer>): Promise<void>;
  whole?(entry: TarEntry, content: Buffer): void | Promise<void>;
}

/** Longest path of an entry. */
const longestPath = 4096;

/**
 * Reads a tar archive that arrives in chunks. Rejects files that are not tar archives, are
 * truncated, or have paths outside the archive.
 */
export async function readTar(
  chunks: AsyncIterable<Buffer>,
  name: string,
  { trailingBytes }: Limits,
  reader: TarReader,
): Promise<void> {
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
  };
  const work = new Work();
  let entries = 0;
  let ended = false;
  /** Whether the end marker was read. What follows it is padding, whatever it contains. */
  let isOver = false;
  let padding = 0;
  let isFirst = true;
  const parser = new Parser({
    strict: true,
    onReadEntry: (raw) => {
      entries += 1;
      try {
        take(raw, name, reader, work, fail);
      } catch (error) {
        fail(error);
        raw.resume();
      }
    },
  });
  parser.on("error", (error: unknown) => fail(error));
  parser.on("eof", () => {
    isOver = true;
  });
  parser.on("end", () => {
    ended = true;
  });
  try {
    for await (const chunk of chunks) {
      if (isFirst) refusePacked(chunk, name);
      isFirst = false;
      if (isOver) {
        padding += chunk.length;
        if (padding > trailingBytes) {
          throw cannotScan(
            `${name} has more than ${trailingBytes} bytes after its end marker`,
            "trailingBytes",
          );
        }
        continue;
      }
      parser.write(chunk);
      if (failure !== undefined) break;
      await work.done();
    }
    if (failure === undefined) {
      parser.end();
      await work.finished();
    }
  } catch (error) {
    fail(error);
  }
  if (failure === undefined && entries > 0 && ended) return;
  if (failure instanceof ImageError) throw failure;
  const reason =
    failure === undefined
      ? entries === 0
        ? "it has no entries"
        : "it is truncated"
      : reasonOf(failure);
  throw cannotScan(`${name} is not a readable tar archive: ${reason}`);
}

/** The parser would unpack it without any limit. */
function refusePacked(chunk: Buffer, name: string): void {
  const magic = chunk.length < 4 ? 0 : chunk.readUInt32BE(0);
  if (magic >>> 16 === 0x1f8b || magic === 0x28b52ffd) {
    throw cannotScan(`${name} is compressed twice; expected a tar archive that is compressed once`);
  }
}

/** Unfinished work of reading entries. */
class Work {
  #tasks: Promise<void>[] = [];
  #streams: { readonly running: Promise<void>; readonly queue: Queue }[] = [];

  add(task: Promise<void>): void {
    this.#tasks.push(task);
    // Reported by `done`.
    task.catch(() => undefined);
  }

  stream(running: Promise<void>, queue: Queue): void {
    const entry = { running, queue };
    this.#streams.push(entry);
    const finished = (): void => {
      queue.close();
      this.#streams = this.#streams.filter((each) => each !== entry);
    };
    running.then(finished, finished);
  }

  /** Waits until all readers have consumed their data, so that little is in memory. */
  async done(): Promise<void> {
    await this.#finishTasks();
    for (const { running, queue } of this.#streams) {
      await Promise.race([running, queue.idle()]);
    }
  }

  async finished(): Promise<void> {
    await this.#finishTasks();
    await Promise.all(this.#streams.map(({ running }) => running));
  }

  async #finishTasks(): Promise<void> {
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) {
      await task;
    }
  }
}

function take(
  raw: ReadEntry,
  name: string,
  reader: TarReader,
  work: Work,
  fail: (error: unknown) => void,
): void {
  const entry = entryOf(raw, name);
  const choice = entry === null ? "skip" : reader.entry(entry);
  if (entry === null || choice === "skip") {
    raw.resume();
    return;
  }
  if (choice === "whole") {
    const parts: Buffer[] = [];
    raw.on("data", (part: Buffer) => parts.push(part));
    raw.on("end", () => {
      try {
        const running = reader.whole?.(entry, Buffer.concat(parts));
        if (running !== undefined) work.add(running);
      } catch (error) {
        fail(error);
      }
    });
    return;
  }
  const queue = new Queue();
  raw.on("data", (part: Buffer) => queue.push(part));
  raw.on("end", () => queue.end());
  const running = reader.stream?.(entry, queue) ?? Promise.resolve();
  running.catch(fail);
  work.stream(running, queue);
}

/** Null for entries that are not part of the image. */
function entryOf(raw: ReadEntry, name: string): TarEntry | null {
  const path = insidePath(raw.path, name);
  if (path === "") return null;
  const type = typeOf(raw.type);
  const link = raw.linkpath ?? "";
  return {
    type,
    path,
    size: raw.size,
    mode: raw.mode ?? 0,
    target:
      type === "link" ? insidePath(link, name) : type === "symlink" ? resolveLink(path, link) : "",
  };
}

function typeOf(type: string): TarEntry["type"] {
  switch (type) {
    case "File":
    case "OldFile":
    case "ContiguousFile":
      return "file";
    case "Directory":
    case "GNUDumpDir":
      return "folder";
    case "Link":
      return "link";
    case "SymbolicLink":
      return "symlink";
    default:
      return "other";
  }
}

function insidePath(path: string, name: string): string {
  if (path.length > longestPath) {
    throw cannotScan(
      `${name} has a path of ${path.length} characters; at most ${longestPath} are supported`,
    );
  }
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..") || path.includes("\0")) {
    throw cannotScan(`${name} has the path ${JSON.stringify(path)}, which leaves the image`);
  }
  return segments.join("/");
}

/** The target of a symbolic link, relative to the root of the image, which links cannot leave. */
function resolveLink(path: string, target: string): string {
  const place = target.startsWith("/") ? [] : path.split("/").slice(0, -1);
  for (const segment of target.split("/")) {
    if (segment === "..") place.pop();
    else if (segment !== "" && segment !== ".") place.push(segment);
  }
  return place.join("/");
}

/** A queue of chunks between a producer and a consumer. */
class Queue implements AsyncIterable<Buffer> {
  #parts: Buffer[] = [];
  #ended = false;
  #closed = false;
  #isWaiting = false;
  #wake: () => void = () => undefined;
  #idle: () => void = () => undefined;

  push(part: Buffer): void {
    if (this.#closed) return;
    this.#parts.push(part);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The consumer has stopped. */
  close(): void {
    this.#closed = true;
    this.#parts = [];
  }

  /** Resolves when all pushed chunks are consumed. */
  idle(): Promise<void> {
    if (this.#isWaiting && this.#parts.length === 0 && !this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const parts = this.#parts;
      this.#parts = [];
      yield* parts;
      if (this.#parts.length > 0) continue;
      if (this.#ended) return;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#isWaiting = true;
      this.#idle();
      await woken;
      this.#isWaiting = false;
    }
  }
}
