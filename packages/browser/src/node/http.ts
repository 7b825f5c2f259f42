/* oxlint-disable no-underscore-dangle -- Injected responses use these names of Node.js. */
import { EventEmitter } from "./events.ts";

/** RFC 9110 §15, for status lines. */
export const STATUS_CODES: Readonly<Record<string, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  206: "Partial Content",
  207: "Multi-Status",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Payload Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

type HeaderValue = number | string | readonly string[];

/** What an injected response inherits: headers until they are sent. Its body goes to the injection. */
export interface ServerResponse extends EventEmitter {
  statusCode: number;
  statusMessage: string | undefined;
  /** The sent headers; null before. The injection reads only `Date` from it. */
  _header: string | null;
  _hasBody: boolean;
  finished: boolean;
  destroyed: boolean;
  socket: EventEmitter | null;
  connection: EventEmitter | null;
  _headers: Map<string, readonly [name: string, value: HeaderValue]>;
  writeHead(
    status: number,
    reason?: string | Readonly<Record<string, HeaderValue>>,
    headers?: Readonly<Record<string, HeaderValue>>,
  ): ServerResponse;
  setHeader(name: string, value: HeaderValue): ServerResponse;
}

/** A function and not a class, because the injection calls it on objects of its own. */
export function ServerResponse(this: ServerResponse, request: { readonly method: string }): void {
  EventEmitter.call(this as never);
  this._headers = new Map();
  this._header = null;
  this._hasBody = request.method !== "HEAD";
  this.statusCode = 200;
  this.statusMessage = undefined;
  this.finished = false;
  this.destroyed = false;
  this.socket = null;
  this.connection = null;
}

Object.setPrototypeOf(ServerResponse.prototype as object, EventEmitter.prototype);

const sentError = (action: string): Error =>
  Object.assign(new Error(`cannot ${action} headers after they are sent`), {
    code: "ERR_HTTP_HEADERS_SENT",
  });

/** The characters that RFC 9110 §5.5 allows, and bytes of other encodings. */
const invalidCharacter = /[^\t\x20-\x7e\x80-\xff]/;

Object.assign(ServerResponse.prototype as object, {
  setHeader(this: ServerResponse, name: string, value: HeaderValue) {
    if (this._header !== null) throw sentError("set");
    if ([value].flat().some((each) => invalidCharacter.test(String(each)))) {
      throw Object.assign(new TypeError(`invalid character in header ${name}`), {
        code: "ERR_INVALID_CHAR",
      });
    }
    this._headers.set(name.toLowerCase(), [name, value]);
    return this;
  },
  getHeader(this: ServerResponse, name: string) {
    return this._headers.get(name.toLowerCase())?.[1];
  },
  getHeaders(this: ServerResponse) {
    const headers = [...this._headers].map(([name, [, value]]) => [name, value] as const);
    return Object.assign(Object.create(null) as object, Object.fromEntries(headers));
  },
  getHeaderNames(this: ServerResponse) {
    return [...this._headers.keys()];
  },
  hasHeader(this: ServerResponse, name: string) {
    return this._headers.has(name.toLowerCase());
  },
  removeHeader(this: ServerResponse, name: string) {
    if (this._header !== null) throw sentError("remove");
    this._headers.delete(name.toLowerCase());
  },
  assignSocket(this: ServerResponse, socket: EventEmitter) {
    this.socket = socket;
    this.connection = socket;
  },
  writeHead(
    this: ServerResponse,
    status: number,
    reason?: string | Readonly<Record<string, HeaderValue>>,
    headers?: Readonly<Record<string, HeaderValue>>,
  ) {
    if (this._header !== null) throw sentError("write");
    const added = typeof reason === "object" ? reason : headers;
    for (const [name, value] of Object.entries(added ?? {})) this.setHeader(name, value);
    this.statusCode = status;
    this.statusMessage = typeof reason === "string" ? reason : STATUS_CODES[status];
    if (status === 204 || status === 304) this._hasBody = false;
    this._header = `\r\nDate: ${new Date().toUTCString()}\r\n`;
    return this;
  },
  write(this: ServerResponse) {
    if (this._header === null) this.writeHead(this.statusCode);
    return true;
  },
  end(this: ServerResponse, done?: () => void) {
    if (this._header === null) this.writeHead(this.statusCode);
    this.finished = true;
    if (typeof done === "function") this.once("finish", done);
    return this;
  },
  flushHeaders(this: ServerResponse) {
    if (this._header === null) this.writeHead(this.statusCode);
  },
});

Object.defineProperties(ServerResponse.prototype, {
  headersSent: {
    get(this: ServerResponse) {
      return this._header !== null;
    },
  },
  writableEnded: {
    get(this: ServerResponse) {
      return this.finished;
    },
  },
  writableFinished: {
    get(this: ServerResponse) {
      return this.finished;
    },
  },
});

/** A server that nobody can connect to. */
class UnconnectedServer extends EventEmitter {
  readonly listening = false;

  address(): null {
    return null;
  }

  listen(): never {
    throw new Error("a page has no sockets to listen on; call platform.fetch(request)");
  }

  close(done?: (error?: Error) => void): this {
    done?.();
    return this;
  }

  setTimeout(): this {
    return this;
  }

  closeIdleConnections(): void {}

  closeAllConnections(): void {}
}

export const createServer = (): UnconnectedServer => new UnconnectedServer();
