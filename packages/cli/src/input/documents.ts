import { resolve } from "node:path";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { readLines, type LinesOptions } from "./lines.ts";
import { openInput, type Input } from "./open-input.ts";

/** Maximum size of an inflated entry, which is larger than any record. */
const maximumEntry = 16 * 1024 * 1024;

/** The JSON documents of an input, in order. `onBytes` receives the number of bytes read. */
export interface Documents {
  readonly name: string;
  readonly size: number | null;
  read(options: Pick<LinesOptions, "onBytes">): AsyncIterable<string>;
}

/**
 * Opens the documents of a file: the entries of a ZIP archive (`.zip`), one document (`.json`),
 * otherwise NDJSON, one document per line. `-` is standard input.
 */
export function openDocuments(file: string, context: CliContext): Documents {
  const input = openInput(file, context);
  const { name, size } = input;
  if (/\.zip$/i.test(file)) {
    const path = resolve(context.workingFolder, file);
    return { name, size, read: (options) => readArchive(path, name, options) };
  }
  if (/\.json$/i.test(file)) return { name, size, read: () => readDocument(input) };
  return { name, size, read: (options) => readLines(input.chunks, { name, ...options }) };
}

async function* readArchive(
  path: string,
  name: string,
  { onBytes }: Pick<LinesOptions, "onBytes">,
): AsyncGenerator<string> {
  let archive: ZipFile | undefined;
  try {
    archive = await openPromise(path, { validateEntrySizes: true });
    let bytes = 0;
    for await (const entry of archive.eachEntry()) {
      bytes += entry.compressedSize;
      onBytes?.(bytes);
      // The name of a folder ends with a slash.
      if (!entry.fileName.endsWith("/")) yield await readEntry(archive, entry, name);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${name}: ${describeError(error)}; expected a ZIP archive`);
  } finally {
    archive?.close();
  }
}

async function readEntry(archive: ZipFile, entry: Entry, name: string): Promise<string> {
  const { fileName, uncompressedSize } = entry;
  const tooLarge = new CommandError(
    `${name}: ${fileName} is larger than ${maximumEntry / 1024 / 1024} MiB; expected one JSON document`,
  );
  if (uncompressedSize > maximumEntry) throw tooLarge;
  return decode(await archive.openReadStreamPromise(entry), `${name}: ${fileName}`, tooLarge);
}

async function* readDocument({ chunks, name }: Input): AsyncGenerator<string> {
  const tooLarge = new CommandError(
    `${name} is larger than ${maximumEntry / 1024 / 1024} MiB; expected one JSON document; ` +
      "name a file with one document a line .ndjson",
  );
  yield await decode(chunks, name, tooLarge);
}

async function decode(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  tooLarge: CommandError,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > maximumEntry) throw tooLarge;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new CommandError(`${name}: not valid UTF-8; convert the file first`);
  }
}
