import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { syncFolderNow } from "../foundation/sync-folder.ts";
import type { Keyring } from "./keyring.ts";
import { newKeyText, readSecretKeys, SecretKeyError, type SecretKey } from "./secret-key.ts";

const heading = [
  "# Keys that encrypt the secrets in the database, one a line; the newest is the last.",
  "# Keep a copy, but not with the backups of the database.",
];

export interface KeyFileOptions {
  /** Whether to create a missing file when a database needs its first key. */
  readonly create: boolean;
  /** Creates the folder of a new file if it is missing. Default: the folder must exist. */
  readonly makeFolder?: (path: string) => void;
}

/** The keys in a file. Another process may add keys, so the file is read again for an unknown key. */
export class KeyFile implements Keyring {
  readonly path: string;
  readonly #create: boolean;
  readonly #makeFolder: (path: string) => void;
  #keys: readonly SecretKey[] = [];
  /** Shows whether the file has changed since `#keys` were read. */
  #version: string | null = null;

  constructor(path: string, { create, makeFolder = () => {} }: KeyFileOptions) {
    this.path = path;
    this.#create = create;
    this.#makeFolder = makeFolder;
  }

  get source(): string {
    return `the key file ${this.path}`;
  }

  find(id: string): SecretKey | null {
    const loadedKey = this.#keys.find((key) => key.id === id);
    return loadedKey ?? this.keys().find((key) => key.id === id) ?? null;
  }

  initial(): SecretKey {
    const last = this.keys().at(-1);
    if (last !== undefined) return last;
    if (!this.#create) {
      throw new SecretKeyError(
        `${this.source} does not exist or has no key; copy it from another server of the database, or create it with: ` +
          "secplat keys add --secrets-key <file>",
      );
    }
    return this.add();
  }

  /** All keys in the file. Empty if the file does not exist. Throws `SecretKeyError`. */
  keys(): readonly SecretKey[] {
    const version = this.#versionOnDisk();
    if (version === null || version === this.#version) return this.#keys;
    const text = this.#attempt("read", () => readFileSync(this.path, "utf8"));
    try {
      this.#keys = readSecretKeys(text);
    } catch (error) {
      if (!(error instanceof SecretKeyError)) throw error;
      throw new SecretKeyError(`${this.source}, ${error.message}`);
    }
    this.#version = version;
    return this.#keys;
  }

  /** Whether users other than the owner may read the file. */
  get isOpenToOthers(): boolean {
    if (process.platform === "win32") return false;
    const mode = statSync(this.path, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o077) !== 0;
  }

  /**
   * Adds a new key at the end, and creates the file if it is missing. If another process creates it first,
   * its key is used.
   */
  add(): SecretKey {
    const line = newKeyText();
    if (this.#versionOnDisk() === null) this.#make(`${[...heading, line].join("\n")}\n`);
    else this.#change((text) => `${text.replace(/(?<!\n)\n*$/, "\n")}${line}\n`);
    const added = this.keys().at(-1);
    if (added === undefined) throw new SecretKeyError(`${this.source} has no key`);
    return added;
  }

  /** Adds those keys of another key file that are missing. Returns their number. */
  merge(text: string): number {
    const known = new Set(this.keys().map(({ id }) => id));
    const lines = text
      .split(/\r?\n/)
      .filter((line) => readSecretKeys(line).some(({ id }) => !known.has(id)));
    if (lines.length === 0) return 0;
    if (this.#versionOnDisk() === null) this.#make(`${[...heading, ...lines].join("\n")}\n`);
    else this.#change((before) => `${before.replace(/(?<!\n)\n*$/, "\n")}${lines.join("\n")}\n`);
    return lines.length;
  }

  remove(id: string): void {
    this.#change((text) =>
      text
        .split("\n")
        .filter((line) => !readSecretKeys(line).some((key) => key.id === id))
        .join("\n"),
    );
  }

  /** Creates the file, unless another process has created it in the meantime. */
  #make(text: string): void {
    this.#makeFolder(dirname(this.path));
    this.#attempt("create", () => {
      const draft = `${this.path}.${randomBytes(4).toString("hex")}`;
      try {
        writeDurably(draft, text);
        linkUnlessThere(draft, this.path);
      } finally {
        rmSync(draft, { force: true });
      }
      syncFolderNow(dirname(this.path));
    });
    this.#version = null;
  }

  /** Replaces the file atomically: after a crash, the old or the new file exists. */
  #change(edit: (text: string) => string): void {
    // This file also prevents other processes from changing the keys at the same time.
    const draft = `${this.path}.new`;
    this.#attempt("change", () => {
      const file = openExclusively(draft);
      try {
        writeAll(file, edit(readFileSync(this.path, "utf8")));
        renameSync(draft, this.path);
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
      syncFolderNow(dirname(this.path));
    });
    this.#version = null;
  }

  #versionOnDisk(): string | null {
    const stats = this.#attempt("read", () =>
      statSync(this.path, { throwIfNoEntry: false, bigint: true }),
    );
    return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
  }

  #attempt<Result>(action: string, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof SecretKeyError) throw error;
      const { code = "an unknown error" } = error as NodeJS.ErrnoException;
      throw new SecretKeyError(`cannot ${action} ${this.source}: ${code}`, { cause: error });
    }
  }
}

/** Creates a file that only the owner may read. */
function writeDurably(path: string, text: string): void {
  writeAll(openSync(path, "wx", 0o600), text);
}

function writeAll(file: number, text: string): void {
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function openExclusively(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new SecretKeyError(
      `another process is changing the key file; if there is none, delete ${path} and repeat the command`,
    );
  }
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
