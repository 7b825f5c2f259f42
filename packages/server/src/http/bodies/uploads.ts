import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Writable, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyRequest } from "fastify";
import type { BlobStore } from "../../blobs/blob-store.ts";
import { FileWriter } from "../../blobs/file-writer.ts";
import { incomingName } from "../../blobs/incoming.ts";
import type { UploadedFile } from "../../call.ts";
import type { BodyShare } from "./body-memory.ts";
import { readForm } from "./read-form.ts";
import type { FormParts } from "../validate/form.ts";

interface Receiving {
  readonly fileBytes: number;
  readonly blobs: BlobStore;
  readonly share: BodyShare;
}

/**
 * Reads a form, streams its files to the blob store's disk, and passes the form to `work`. Afterwards deletes
 * the files, even after an error, except files that the store has adopted. `fileBytes`: maximum size of a
 * file.
 */
export async function withForm<Result>(
  request: FastifyRequest,
  members: readonly string[],
  { fileBytes, blobs, share }: Receiving,
  work: (form: FormParts) => Promise<Result>,
): Promise<Result> {
  const folder = join(await blobs.incoming(), incomingName());
  await mkdir(folder, { mode: 0o700 });
  try {
    const form = await readForm(request.raw, {
      members,
      fileBytes,
      share,
      store: (content, name, stored) =>
        storeFile(content, join(folder, String(members.indexOf(name))), stored),
    }).finally(() => share.release());
    return await work(form);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function storeFile(
  content: Readable,
  path: string,
  stored: (bytes: number) => void,
): Promise<Pick<UploadedFile, "bytes" | "sha256" | "path">> {
  const file = await FileWriter.create(path);
  let complete = false;
  try {
    await pipeline(content, collecting(file, stored));
    complete = true;
    return { ...(await file.finish({ sync: false })), path };
  } finally {
    if (!complete) await file.abandon();
  }
}

function collecting(file: FileWriter, stored: (bytes: number) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const { length } = chunk;
      const added = (): void => {
        release(chunk);
        try {
          stored(length);
          done();
        } catch (error) {
          done(error as Error);
        }
      };
      const full = file.add(chunk);
      if (full === undefined) added();
      else full.then(added, done);
    },
  });
}

/**
 * Frees a copied chunk if nothing else is in its memory. Chunks use memory outside the heap. Each 64 MB of it
 * that waits for the garbage collector makes V8 collect the whole heap.
 */
function release({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
