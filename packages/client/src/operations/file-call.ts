import type { Answer } from "../wire/answer.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import type { Connection } from "../sending/connection.ts";
import type { SavedFile } from "./files.ts";
import type { FileForm, ReceiveOptions } from "./receive-file.ts";
import type { LinkToFile } from "./receive-link.ts";

/**
 * The call of an operation that returns a file. Awaited, it is a `Blob`. The other forms must be called at once;
 * the request is sent only once.
 */
export interface FileCall extends Promise<Answer<Blob>> {
  /**
   * The file as a stream, when the headers have arrived. If its transfer fails later, reading it rejects with a
   * `NetworkError`, without a retry.
   */
  stream(): Promise<Answer<ReadableStream<Uint8Array>>>;
  /**
   * Writes the file under a temporary name in the same folder, and renames it when it is complete. An existing
   * file is replaced. A failed or aborted call leaves nothing behind. Rejects with a `ClientError` if the file
   * cannot be written. Only in Node.js, Bun and Deno.
   */
  toFile(path: string | URL): Promise<Answer<SavedFile>>;
}

/** Calls an operation that returns a file, or follows a link. The code for it is loaded at the first call. */
export function fileCall(
  connection: Connection,
  descriptor: Descriptor,
  input: AnyInput,
  options: ReceiveOptions,
  link?: LinkToFile,
): FileCall {
  let form: FileForm = "blob";
  let isSent = false;
  const answer = connection.send(descriptor, input, options, async (parts, outgoing) => {
    isSent = true;
    const { receiveFile } = await import("./file-transfers.ts");
    return receiveFile(parts, outgoing, form, options, link);
  });
  const as = (chosen: FileForm): typeof answer => {
    if (isSent) throw new TypeError("stream() and toFile() must follow the call at once");
    form = chosen;
    return answer;
  };
  return Object.assign(answer, {
    stream: () => as("stream"),
    toFile: (path: string | URL) => as({ path }),
  }) as FileCall;
}
