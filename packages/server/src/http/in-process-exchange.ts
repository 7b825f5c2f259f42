import { EventEmitter } from "node:events";
import { ServerResponse, type IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { bytesOf } from "./responses/bytes-of.ts";

/** A request without a connection. */
export interface Injected {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a response in this process goes. */
export interface ResponseSink {
  /** Called when the status and the headers are known. */
  head(response: ServerResponse): void;
  /** Returns false if the response waits for `drain`. Not called for a response without a body. */
  part(bytes: Buffer): boolean;
  end(): void;
  /** The response was closed before its end. */
  cutOff(): void;
}

/** What the server reads of a connection. */
class NoSocket extends EventEmitter {
  readonly remoteAddress = "127.0.0.1";
}

/** The request whose body is this stream. */
export const injectedRequest = (injected: Injected, body: Readable): IncomingMessage =>
  Object.assign(body, injected, {
    rawHeaders: Object.entries(injected.headers).flat(),
    httpVersion: "1.1",
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    aborted: false,
    socket: new NoSocket(),
  }) as unknown as IncomingMessage;

/** Closes a request whose caller has left. */
export function abortRequest(request: IncomingMessage): void {
  const hasListener = request.listenerCount("error") > 0;
  request.destroy(hasListener ? new Error("the request was aborted") : undefined);
}

/** Statuses of responses that have no body. */
export const withoutBody = new Set([204, 205, 304]);

type Done = (error?: Error | null) => void;

/** A response without a connection: its parts go to a sink. */
export class InjectedResponse extends ServerResponse {
  readonly #sink: ResponseSink;
  readonly #isHead: boolean;
  #isDestroyed = false;

  constructor(request: IncomingMessage, sink: ResponseSink) {
    super(request);
    this.#sink = sink;
    this.#isHead = request.method === "HEAD";
    // If one header is set before, those of `writeHead` are among those of `getHeaders`.
    this.setHeader("date", new Date().toUTCString());
  }

  override writeHead(...parameters: unknown[]): this {
    Reflect.apply(super.writeHead, this, parameters);
    this.#sink.head(this);
    return this;
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    const written = [encoding, done].find((each): each is Done => typeof each === "function");
    if (written !== undefined) process.nextTick(written);
    if (this.#isHead || withoutBody.has(this.statusCode)) return true;
    return this.#sink.part(bytesOf(chunk, encoding));
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    const ended = [chunk, encoding, done].find((each): each is Done => typeof each === "function");
    if (this.finished) return this;
    if (ended !== undefined) this.once("finish", ended);
    // Through the object, whose method may be replaced.
    if (hasContent(chunk)) this.write(chunk, encoding as BufferEncoding);
    else if (!this.headersSent) this.writeHead(this.statusCode);
    this.finished = true;
    this.#sink.end();
    this.emit("finish");
    this.destroy();
    return this;
  }

  override destroy(error?: Error): this {
    if (this.#isDestroyed) return this;
    this.#isDestroyed = true;
    this.destroyed = true;
    if (!this.finished) this.#sink.cutOff();
    process.nextTick(() => {
      if (error !== undefined && this.listenerCount("error") > 0) this.emit("error", error);
      this.emit("close");
    });
    return this;
  }
}

const hasContent = (chunk: unknown): boolean =>
  (typeof chunk === "string" || chunk instanceof Uint8Array) && chunk.length > 0;
