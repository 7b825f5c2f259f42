import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { ReceivedFile } from "../../blobs/blob-store.ts";
import type { UploadedFile } from "../../calls/call.ts";
import { ApiError, errors } from "../../foundation/errors.ts";
import type { Room } from "../../storage/storage.ts";
import type { BodyShare } from "./body-memory.ts";
import type { FormParts } from "../validate/form.ts";

/** Maximum number of parts of a form. */
const mostParts = 100;

/** Maximum size of everything in a form except its files, in bytes. */
export const formBytes = 1024 * 1024;

/** Maximum number of bytes of a part that the parser buffers until they are read. */
const bufferBytes = 64 * 1024;

export interface FormReading {
  /** The members that are files. */
  readonly members: readonly string[];
  /** Maximum size of a file. */
  readonly fileBytes: number;
  readonly share: BodyShare;
  /** Null: storage is not limited. */
  readonly room: Room | null;
  /** Stores a file. Calls `stored` with the size of each part that no longer needs memory. */
  readonly store: (content: Readable, stored: (bytes: number) => void) => Promise<ReceivedFile>;
}

interface PartHead {
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  readonly mediaType: string;
}

/**
 * Reads a form while it arrives. Rejects as soon as a limit is exceeded; the rest of the request is then
 * discarded.
 */
export async function readForm(request: IncomingMessage, reading: FormReading): Promise<FormParts> {
  const form = new ArrivingForm(request, reading);
  try {
    return await form.read();
  } finally {
    await form.stop();
  }
}

class ArrivingForm {
  readonly #request: IncomingMessage;
  readonly #reading: FormReading;
  readonly #fields = new Map<string, string[]>();
  readonly #files = new Map<string, UploadedFile[]>();
  /** Resolve when a part has been read. */
  readonly #parts: Promise<void>[] = [];
  readonly #open = new Set<Readable>();
  #received = 0;
  #textBytes = 0;

  constructor(request: IncomingMessage, reading: FormReading) {
    this.#request = request;
    this.#reading = reading;
  }

  read(): Promise<FormParts> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const complete = (): void => resolve({ fields: this.#fields, files: this.#files });
      const parser = newParser(request, reject);
      parser
        .on("file", (name, content, fileName, _encoding, mediaType) => {
          this.#open.add(content);
          content.on("error", (error) => {
            // An error of the disk also ends the content, and rejects the part.
            if (!content.destroyed) reject(notAForm(error));
          });
          const part = this.#readPart({ name, fileName, mediaType }, content);
          this.#parts.push(part.then(() => void this.#open.delete(content), reject));
        })
        // Headers that announce a form without a body announce an empty form.
        .on("error", (error: Error) =>
          this.#received === 0 ? complete() : reject(notAForm(error)),
        )
        .on("finish", () => void Promise.all(this.#parts).then(complete));
      const leave = (): void => {
        if (!request.readableEnded) reject(errors.timedOut());
      };
      request.on("error", leave).on("close", leave);
      if (request.destroyed) leave();
      request.on("data", (chunk: Buffer) => {
        try {
          this.#count(chunk.length);
        } catch (error) {
          request.unpipe(parser);
          reject(error as Error);
        }
      });
      request.pipe(parser);
    });
  }

  /** Ends everything that is still open, and discards the rest of the request. */
  async stop(): Promise<void> {
    this.#request.unpipe();
    this.#request.resume();
    for (const content of this.#open) content.destroy();
    await Promise.all(this.#parts);
  }

  #count(bytes: number): void {
    const { share, fileBytes, members } = this.#reading;
    this.#received += bytes;
    if (this.#received > fileBytes * members.length + formBytes) {
      throw errors.bodyTooLarge(fileBytes);
    }
    share.take(bytes);
  }

  async #readPart({ name, fileName, mediaType }: PartHead, content: Readable): Promise<void> {
    if (name === undefined) throw errors.namelessPart();
    if (fileName === undefined && mediaType !== "application/octet-stream") {
      const values = listIn(this.#fields, name);
      const place = values.push("") - 1;
      values[place] = await this.#readText(name, content);
      return;
    }
    const files = listIn(this.#files, name);
    const head = { name: unescaped(basename((fileName ?? "").replaceAll("\\", "/"))), mediaType };
    const place = files.push({ ...head, ...noContent }) - 1;
    // An unknown or a second file is reported after the form was read.
    if (!this.#reading.members.includes(name) || place > 0) {
      content.on("data", ({ length }: Buffer) => this.#reading.share.give(length));
      await finished(content);
    } else {
      files[place] = { ...head, ...(await this.#storeFile(content)) };
    }
  }

  async #readText(name: string, content: Readable): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of content as AsyncIterable<Buffer>) {
      this.#textBytes += part.length;
      if (this.#textBytes > formBytes) throw errors.bodyTooLarge(formBytes);
      parts.push(part);
    }
    const bytes = Buffer.concat(parts);
    if (isUtf8(bytes)) return bytes.toString();
    throw errors.invalidRequest([{ at: `body.${name}`, message: "is not UTF-8" }]);
  }

  #storeFile(content: Readable): Promise<ReceivedFile> {
    const { store, share, room, fileBytes } = this.#reading;
    let bytes = 0;
    return store(content, (part) => {
      share.give(part);
      bytes += part;
      if (bytes > fileBytes) throw errors.bodyTooLarge(fileBytes);
      room?.take(part);
    });
  }
}

const escapes: Readonly<Record<string, string>> = { "22": '"', "0A": "\n", "0D": "\r", "25": "%" };

/**
 * Undoes the escapes of browsers (RFC 7578 §4.2). Most clients do not escape other characters, so `%20` stays. `%25` is
 * an escape only before one of the others.
 */
const unescaped = (fileName: string): string =>
  fileName.replaceAll(
    /%(22|0[AD]|25(?=(?:25)*(?:22|0[AD])))/gi,
    (escape, digits: string) => escapes[digits.toUpperCase()] ?? escape,
  );

const noContent: ReceivedFile = {
  bytes: 0,
  sha256: "",
  open: () => Readable.from([]),
  keep: async () => undefined,
  discard: async () => undefined,
};

function newParser(request: IncomingMessage, refuse: (error: Error) => void): BusboyInstance {
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" },
      fileHwm: bufferBytes,
      // The bytes of texts are needed, to refuse those that are not UTF-8.
      isPartAFile: () => true,
      limits: { parts: mostParts, headerPairs: 100, headerSize: 16 * 1024 },
    });
  } catch (error) {
    throw notAForm(error as Error);
  }
  return parser.on("partsLimit", () => {
    request.unpipe(parser);
    refuse(errors.tooManyFields(mostParts));
  });
}

const notAForm = (error: Error): ApiError =>
  error instanceof ApiError
    ? error
    : errors.invalidRequest([{ at: "body", message: `is not a valid form: ${error.message}` }]);

function listIn<Value>(lists: Map<string, Value[]>, name: string): Value[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}
