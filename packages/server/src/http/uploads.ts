import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyError, FastifyRequest } from "fastify";
import type { BlobStore } from "../blobs/blob-store.ts";
import { FileWriter } from "../blobs/file-writer.ts";
import { incomingName } from "../blobs/incoming.ts";
import { ApiError, errors } from "../errors.ts";
import type { UploadedFile } from "../call.ts";
import { ThreadStartError } from "../threads/thread.ts";
import type { FormParts } from "./validate/form.ts";

const formLimits = { fields: 100, fieldSize: 1024 * 1024, fieldNameSize: 200, headerPairs: 100 };

/** Maximum number of bytes of a file that the parser buffers until they are written. */
const bufferBytes = 1024 * 1024;

/** Maximum size of a form without its file, in bytes. */
export const formBytes = formLimits.fieldSize;

/**
 * Reads a form, streams its files to the blob store's disk, and passes the form to `work`. Afterwards deletes
 * the files, even after an error, except files that the store has adopted. `fileBytes`: maximum size of a
 * file.
 */
export async function withForm<Result>(
  request: FastifyRequest,
  members: readonly string[],
  { fileBytes, blobs }: { readonly fileBytes: number; readonly blobs: BlobStore },
  work: (form: FormParts) => Promise<Result>,
): Promise<Result> {
  const folder = join(await blobs.incoming(), incomingName());
  await mkdir(folder, { mode: 0o700 });
  try {
    // The parser does not notice that the caller left before it started, and would wait for ever.
    if (request.raw.readableAborted) throw errors.timedOut();
    return await work(await readForm(request, members, fileBytes, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readForm(
  request: FastifyRequest,
  members: readonly string[],
  fileBytes: number,
  folder: string,
): Promise<FormParts> {
  const fields = new Map<string, string[]>();
  const files = new Map<string, UploadedFile[]>();
  const limits = { ...formLimits, fileSize: fileBytes, files: members.length + 1 };
  try {
    for await (const part of request.parts({ limits, fileHwm: bufferBytes })) {
      // The parser's types say otherwise.
      if ((part.fieldname as string | undefined) === undefined) throw errors.namelessPart();
      if (part.type === "file") {
        // An unknown part is skipped and reported.
        const file = members.includes(part.fieldname)
          ? await storeFile(part, join(folder, String(files.size)), fileBytes)
          : await skipFile(part);
        addTo(files, part.fieldname, file);
      } else {
        if (part.valueTruncated || part.fieldnameTruncated) throw errors.bodyTooLarge(formBytes);
        addTo(fields, part.fieldname, textOf(part.value));
      }
    }
  } catch (thrown) {
    throw formError(thrown, fileBytes);
  }
  return { fields, files };
}

function addTo<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  const values = map.get(name);
  if (values === undefined) map.set(name, [value]);
  else values.push(value);
}

/** The parser decodes parts of type JSON; this restores their text. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

async function storeFile(
  part: MultipartFile,
  path: string,
  fileBytes: number,
): Promise<UploadedFile> {
  const file = await FileWriter.create(path);
  let complete = false;
  try {
    await pipeline(part.file, collecting(file));
    if (part.file.truncated) throw errors.bodyTooLarge(fileBytes);
    complete = true;
    const blob = await file.finish({ sync: false });
    return { name: nameOf(part), mediaType: part.mimetype, ...blob, path };
  } finally {
    if (!complete) await file.abandon();
  }
}

function collecting(file: FileWriter): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const added = (): void => {
        release(chunk);
        done();
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

async function skipFile(part: MultipartFile): Promise<UploadedFile> {
  await finished(part.file.resume());
  const { mimetype: mediaType } = part;
  return { name: nameOf(part), mediaType, bytes: 0, sha256: "", path: "" };
}

const nameOf = ({ filename }: MultipartFile): string =>
  basename((filename ?? "").replaceAll("\\", "/"));

/** Errors in the form are errors of the caller. Only those of disks and threads are errors of the server. */
function formError(thrown: unknown, fileBytes: number): unknown {
  if (thrown instanceof ApiError || thrown instanceof ThreadStartError) return thrown;
  const { code, message } = thrown as FastifyError;
  if ((thrown as NodeJS.ErrnoException).syscall !== undefined) return thrown;
  switch (code) {
    case "FST_REQ_FILE_TOO_LARGE":
      return errors.bodyTooLarge(fileBytes);
    case "FST_MP_PREMATURE_CLOSE":
      return errors.timedOut();
    default:
      return errors.invalidRequest([{ at: "body", message: `is not a valid form: ${message}` }]);
  }
}
