import type { FastifyRequest } from "fastify";
import type { BlobStore } from "../../blobs/blob-store.ts";
import type { Room } from "../../storage/storage.ts";
import type { BodyShare } from "./body-memory.ts";
import { readForm } from "./read-form.ts";
import type { FormParts } from "../validate/form.ts";

interface Receiving {
  readonly fileBytes: number;
  readonly blobs: BlobStore;
  readonly share: BodyShare;
  /** Null: storage is not limited. */
  readonly room: Room | null;
}

/**
 * Reads a form, streams its files to the blob store, and passes the form to `work`. Afterwards deletes the files,
 * even after an error, except files that were kept. `fileBytes`: maximum size of a file.
 */
export async function withForm<Result>(
  request: FastifyRequest,
  members: readonly string[],
  { fileBytes, blobs, share, room }: Receiving,
  work: (form: FormParts) => Promise<Result>,
): Promise<Result> {
  const reception = await blobs.receive();
  try {
    const store = reception.receive.bind(reception);
    const form = await readForm(request.raw, { members, fileBytes, share, room, store }).finally(
      () => share.release(),
    );
    return await work(form);
  } finally {
    await reception.end();
  }
}
