import type { FileOptions } from "../sending/call-options.ts";
import type { Exchange, SharedParts, Outgoing, StreamedBody } from "../sending/outgoing.ts";
import { idempotencyKeyOf, isRetryable } from "../sending/retries.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import { readRetryAfter } from "../wire/retry-after.ts";
import type { TransportRequest } from "../wire/transport.ts";
import { byteStream, type ByteGenerator } from "./byte-stream.ts";
import type { Source } from "./file-source.ts";

/** One request with the form. */
interface Sending {
  readonly chunks: ByteGenerator;
  transferredBytes: number;
  /** Whether the end of the form was sent. */
  isSent: boolean;
  failure?: Error;
  response?: Response;
}

const withNewStream =
  "with a new stream, because a stream can be read only once; the client itself sends a Blob, { path }, or a function that opens a stream again";

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);

/** A `multipart/form-data` body (RFC 7578) whose files are read while it is sent. */
export class StreamedForm implements StreamedBody {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #start: Uint8Array;
  readonly #files: readonly { readonly head: Uint8Array; readonly source: Source }[];
  readonly #end: Uint8Array;
  readonly #totalBytes: number | undefined;
  readonly #onProgress: FileOptions["onProgress"];
  #sending: Sending | undefined;
  #attempts = 0;
  /** Whether a stream that can be read only once was read. */
  #isUsed = false;

  /** Files come last, because a server may need the other parts before them. */
  constructor(
    texts: readonly (readonly [name: string, text: string])[],
    files: readonly (readonly [name: string, source: Source])[],
    { onProgress }: FileOptions,
  ) {
    const random = crypto.getRandomValues(new Uint32Array(4));
    const boundary = `form-${random.join("")}`;
    const head = (name: string, more = ""): string =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"${more}\r\n\r\n`;
    this.#start = encode(texts.map(([name, text]) => `${head(name)}${text}\r\n`).join(""));
    this.#files = files.map(([name, source]) => {
      const more = `; filename="${escaped(source.name)}"\r\ncontent-type: ${source.type}`;
      return { head: encode(head(name, more)), source };
    });
    this.#end = encode(`--${boundary}--\r\n`);
    this.#totalBytes = sum(files.map(([, { size }]) => size));
    const around = [this.#start, this.#end, ...this.#files.map((file) => file.head)];
    // Each file is followed by a line break.
    const length = sum([this.#totalBytes, files.length * 2, ...around.map((each) => each.length)]);
    this.#headers = {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      ...(length === undefined ? {} : { "content-length": String(length) }),
    };
    this.#onProgress = onProgress;
  }

  send<Result>(
    parts: SharedParts,
    outgoing: Outgoing,
    exchange: Exchange<Result>,
  ): Promise<Result> {
    const { descriptor, options, authorization } = outgoing;
    const idempotencyKey = idempotencyKeyOf(parts, descriptor, options);
    const retries = (): number =>
      this.#isUsed || this.#sending?.failure !== undefined ? 0 : (options.retries ?? parts.retries);
    const keyed = (): true | undefined => (this.#isPartial ? undefined : descriptor.keyed);
    // A further call has another key, unless the caller chose it.
    const isSafe = !descriptor.keyed || options.idempotencyKey !== undefined;
    const remedy = (): string => this.#remedy(parts, this.#isPartial || isSafe);
    return exchange(
      { ...parts, transport: (request) => this.#transport(parts, request) },
      {
        ...outgoing,
        // These members change while the form is sent. They are read when they are needed.
        descriptor: {
          ...descriptor,
          // Nothing was stored before the end of the form, so the request may be repeated.
          get keyed() {
            return keyed();
          },
          get remedy() {
            return remedy();
          },
        } as Descriptor,
        options: {
          ...options,
          idempotencyKey,
          get retries() {
            return retries();
          },
        },
        authorization: {
          get: () => authorization.get(),
          discard: (value) => authorization.discard(value) && !this.#isUsed,
        },
      },
    )
      .catch((error: unknown) => {
        throw options.signal?.aborted === true ? error : (this.#sending?.failure ?? error);
      })
      .finally(() => this.#close());
  }

  /** Closes the files of the last request, which may have ended before its body. */
  #close(): void {
    this.#sending?.chunks.return(false).catch(() => undefined);
  }

  /** The last request did not have all of it, so the server cannot have acted. */
  get #isPartial(): boolean {
    return this.#sending?.isSent !== true;
  }

  #transport({ transport }: SharedParts, request: TransportRequest): () => Promise<Response> {
    this.#close();
    this.#attempts += 1;
    const chunks = this.#chunks(request.restartLimit, () => sending);
    const sending: Sending = { chunks, transferredBytes: 0, isSent: false };
    this.#sending = sending;
    const headers = [...request.headers, this.#headers];
    const send = transport({ ...request, headers, body: byteStream(chunks) });
    return async () => (sending.response = await send());
  }

  /** What a failure means for the files, and what to do. `mayRepeat`: a further call cannot store them twice. */
  #remedy({ clock }: SharedParts, mayRepeat: boolean): string {
    const { response, transferredBytes = 0 } = this.#sending ?? {};
    if (response !== undefined) {
      const { status, headers } = response;
      const isRetried =
        status === 401 || isRetryable(mayRepeat, status, readRetryAfter(headers, clock));
      return isRetried && this.#isUsed ? `; call again ${withNewStream}` : "";
    }
    if (!this.#isPartial) return mayRepeat && this.#isUsed ? "; a retry needs a new stream" : "";
    const of = this.#totalBytes === undefined ? "" : ` of ${this.#totalBytes}`;
    const again = this.#isUsed ? ` ${withNewStream}` : "";
    return `; ${transferredBytes}${of} bytes of the file were sent, so nothing was stored: call again${again}`;
  }

  async *#chunks(onChunk: () => void, current: () => Sending): ByteGenerator {
    const attempt = this.#attempts;
    const totalBytes = this.#totalBytes;
    const sending = current();
    try {
      if (this.#start.length > 0) yield this.#start;
      for (const { head, source } of this.#files) {
        yield head;
        this.#isUsed ||= !source.canReopen;
        for await (const chunk of source.open()) {
          onChunk();
          sending.transferredBytes += chunk.byteLength;
          this.#onProgress?.({ transferredBytes: sending.transferredBytes, totalBytes, attempt });
          yield chunk;
        }
        yield encode("\r\n");
      }
      onChunk();
      sending.isSent = true;
      yield this.#end;
      return true;
    } catch (error) {
      sending.failure = error as Error;
      throw error;
    }
  }
}

/** Escapes a name as HTML prescribes. A text that looks escaped is escaped again, so that it is read back unchanged. */
const escaped = (text: string): string =>
  text
    .replaceAll(/%(?=(?:25)*(?:22|0[AD]))/gi, "%25")
    .replaceAll(/[\r\n"]/g, (character) => ({ "\r": "%0D", "\n": "%0A" })[character] ?? "%22");

/** Undefined if one of the numbers is. */
const sum = (numbers: readonly (number | undefined)[]): number | undefined =>
  numbers.reduce<number | undefined>(
    (total, each) => (total === undefined || each === undefined ? undefined : total + each),
    0,
  );
