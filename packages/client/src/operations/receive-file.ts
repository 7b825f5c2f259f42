import { files } from "#files";
import type { FileOptions } from "../sending/call-options.ts";
import type { Attempt } from "../sending/attempt.ts";
import { exchange } from "../sending/exchange.ts";
import type { Outgoing, SharedParts } from "../sending/outgoing.ts";
import { mediaType, receive, type Answer } from "../wire/answer.ts";
import { UnexpectedResponseError } from "../wire/errors.ts";
import { FileHashError } from "../wire/file-hash-error.ts";
import { refusalError } from "../wire/refusal.ts";
import { followLink, type LinkToFile } from "./receive-link.ts";
import { byteStream, type ByteGenerator } from "./byte-stream.ts";

/** Options of a call that receives a file. */
export interface ReceiveOptions extends FileOptions {
  /**
   * The expected SHA-256 of the file, in hexadecimal. If it is another, the call rejects with a `FileHashError`,
   * or the stream does so at its end. It is not checked for a part of a file (206).
   */
  readonly sha256?: string | undefined;
}

/** How the caller wants the file. */
export type FileForm = "blob" | "stream" | { readonly path: string | URL };

/**
 * Receives the file of an operation or a link in one of its forms. A call that does not return a stream is
 * retried.
 */
export async function receiveFile(
  through: SharedParts,
  call: Outgoing,
  form: FileForm,
  options: ReceiveOptions,
  link: LinkToFile | undefined,
): Promise<Answer<unknown>> {
  const { parts, outgoing, sha256 } = followLink(through, call, link);
  const { descriptor } = outgoing;
  const target = typeof form === "object" ? await files.target(form.path) : undefined;
  return exchange(parts, outgoing, async (response, attempt, info) => {
    const { status, headers, ok } = response;
    if (!ok) {
      const refused = await attempt.guard(() => receive(response, info), status);
      throw refusalError(descriptor, refused, parts.clock, attempt.failed());
    }
    if ((status !== 200 && status !== 206) || mediaType(headers) === "text/html") {
      const message = `a body of type ${mediaType(headers) || "unknown"}, expected: file`;
      throw new UnexpectedResponseError(attempt.failed(), status, message);
    }
    const chunks = chunksOf(response, attempt, { ...options, sha256: options.sha256 ?? sha256 });
    if (target !== undefined) return { data: await files.save(target, chunks), response: info };
    const data =
      form === "stream" ? byteStream(chunks, attempt.abort) : await blobOf(chunks, headers);
    return { data, response: info };
  });
}

async function blobOf(chunks: AsyncIterable<Uint8Array>, headers: Headers): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(parts, { type: headers.get("content-type") ?? "" });
}

async function* chunksOf(
  response: Response,
  { guard, restart, stop, failed }: Attempt,
  { sha256, onProgress }: ReceiveOptions,
): ByteGenerator {
  const { status, headers } = response;
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  const totalBytes = length === null ? undefined : Number(length);
  const hash = sha256 === undefined || status !== 200 ? undefined : await files.sha256();
  const { attempts: attempt } = failed();
  let transferredBytes = 0;
  try {
    for (;;) {
      if (reader === undefined) break;
      restart();
      const { done, value } = await guard(() => reader.read(), status);
      stop();
      if (done) break;
      transferredBytes += value.byteLength;
      hash?.update(value);
      onProgress?.({ transferredBytes, totalBytes, attempt });
      yield value;
    }
    if (transferredBytes !== (totalBytes ?? transferredBytes)) {
      const message = `received ${transferredBytes} of ${totalBytes} bytes`;
      await guard(() => Promise.reject(new Error(message)), status);
    }
  } finally {
    stop();
    reader?.cancel().catch(() => undefined);
  }
  const received = hash?.hex();
  if (sha256 !== undefined && received !== undefined && received !== sha256.toLowerCase()) {
    throw new FileHashError(failed(), received, sha256);
  }
  return true;
}
