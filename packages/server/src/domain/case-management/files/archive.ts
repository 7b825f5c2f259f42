import type { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { BlobStore } from "../../../blobs/blob-store.ts";
import { archiveName } from "./file-name.ts";
import type { AvailableFile } from "./files.ts";

/** Called when the archive reaches a file; `pass` continues with the file's content. */
type Open = (file: AvailableFile, pass: (error: unknown, content: Readable) => void) => void;

/** A ZIP archive of the files. It is not compressed, so its size is known in advance. */
function zipOf(files: readonly AvailableFile[], open: Open): ZipFile {
  const zip = new ZipFile();
  const usedNames = new Set<string>();
  for (const file of files) {
    const options = {
      size: file.file_size_bytes,
      mtime: new Date(file.uploaded_on),
      mode: 0o100644,
      compress: false,
    };
    zip.addReadStreamLazy(archiveName(file.name, usedNames), options, (pass) => open(file, pass));
  }
  return zip;
}

/** Size of the archive in bytes. */
export function archiveBytes(files: readonly AvailableFile[]): number {
  let bytes = 0;
  const callback = (total: number): void => void (bytes = total);
  // The type definitions of the library lack the size.
  zipOf(files, () => undefined).end(undefined, callback as () => void);
  return bytes;
}

/**
 * The archive, created while it is read. Only one file is open at a time. An error destroys the
 * stream, and a reader that stops early closes the file.
 */
export function openArchive(
  files: readonly AvailableFile[],
  blobs: Pick<BlobStore, "open">,
): Readable {
  let current: Readable | undefined;
  const openNext = async (sha256: string, pass: (content: Readable) => void): Promise<void> => {
    try {
      const content = await blobs.open(sha256);
      current = content;
      content.once("error", (error) => output.destroy(error));
      if (output.destroyed) content.destroy();
      else pass(content);
    } catch (error) {
      output.destroy(error as Error);
    }
  };
  const zip = zipOf(files, ({ hash_value }, pass) => {
    void openNext(hash_value, (content) => pass(null, content));
  });
  const output = zip.outputStream as PassThrough;
  zip.on("error", (error: Error) => output.destroy(error));
  output.once("close", () => current?.destroy());
  zip.end();
  return output;
}
