import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RecordedRequest, ServedOperation } from "@security-platform/spec";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { suggestion } from "@security-platform/spec/schemas";
import type { UploadedFile } from "../../calls/call.ts";
import type { Clock } from "../../foundation/clock.ts";
import { operationProblem } from "./read-fault.ts";
import type { RecordedRequests, RequestFilter } from "./recorded-request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The entry of the journal, if there is a journal. */
    recorded: Entry | null;
  }
}

/** A request whose response is not known yet. */
type Entry = { -readonly [Member in keyof RecordedRequest]: RecordedRequest[Member] };

/** What was sent of a body. Texts are not copied. */
type Part = string | Uint8Array;

const hidden = "(hidden)";
const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
]);
const secretMembers: ReadonlySet<string> = new Set(["client_secret", "access_token", "token"]);
/** The oldest entries are forgotten, so that the journal cannot fill the memory. */
const mostKept = 10_000;
const mostBytesKept = 64 * 1024 * 1024;
/** Maximum length of a recorded response body. Longer ones are cut. */
const longestBody = 1024 * 1024;

/** Requests that a server received, oldest first. */
export class Journal implements RecordedRequests {
  readonly #clock: Clock;
  readonly #entries: Entry[] = [];
  readonly #waiting = new Set<() => void>();
  /** What waits with each signal. One listener serves all: Node.js 20 warns of a leak if a signal has more than ten. */
  readonly #endings = new WeakMap<AbortSignal, Set<() => void>>();
  /** The bytes of the bodies of each entry, approximately. */
  readonly #sizes = new Map<Entry, number>();
  #bytes = 0;
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the requests of an app, without those of the control plane. */
  attach(app: FastifyInstance): void {
    app.decorateRequest("recorded", null);
    app.addHook("onRequest", (request, reply, done) => {
      if (!request.url.startsWith("/_control")) this.#record(request, reply);
      done();
    });
  }

  list(filter: RequestFilter = {}): readonly RecordedRequest[] {
    checkFilter(filter);
    return this.#entries.filter((entry) => satisfies(entry, filter));
  }

  async waitFor(
    filter: RequestFilter = {},
    { count = 1, signal }: { readonly count?: number; readonly signal?: AbortSignal } = {},
  ): Promise<readonly RecordedRequest[]> {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new RangeError(`count: expected a whole number from 0, got ${String(count)}`);
    }
    for (;;) {
      const entries = this.list(filter).filter(({ ended }) => ended);
      if (entries.length >= count) return entries;
      await this.#change(signal);
    }
  }

  clear(): void {
    this.#entries.length = 0;
    this.#sizes.clear();
    this.#bytes = 0;
    this.#last = 0;
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const endings = signal === undefined ? null : this.#endingsOf(signal);
      const end = (settle: () => void) => {
        this.#waiting.delete(changed);
        endings?.delete(aborted);
        settle();
      };
      const changed = () => end(resolve);
      const aborted = () => end(() => reject(signal?.reason as Error));
      this.#waiting.add(changed);
      endings?.add(aborted);
    });
  }

  #endingsOf(signal: AbortSignal): Set<() => void> {
    let endings = this.#endings.get(signal);
    if (endings === undefined) {
      const all = new Set<() => void>();
      this.#endings.set(signal, (endings = all));
      signal.addEventListener("abort", () => all.forEach((each) => each()), { once: true });
    }
    return endings;
  }

  #record(request: FastifyRequest, reply: FastifyReply): void {
    this.#last += 1;
    const [path = "", query = ""] = request.url.split("?", 2);
    const entry: Entry = {
      number: this.#last,
      at: this.#clock.now().toISOString(),
      method: request.method,
      path,
      query: queryOf(query),
      headers: shown(request.headers),
      operation_id: null,
      fault: null,
      status: null,
      response_headers: {},
      ended: false,
    };
    request.recorded = entry;
    this.#entries.push(entry);
    this.#sizes.set(entry, 0);
    if (this.#entries.length > mostKept) this.#forgetOldest();
    const end = (parts: readonly Part[]): void => {
      if (entry.ended) return;
      entry.ended = true;
      const body = request.recorded === null ? undefined : request.body;
      if (body !== undefined && body !== null) entry.body = withoutSecrets(body, entry);
      addResponse(entry, parts);
      const sent = parts.reduce((sum, { length }) => sum + length, 0);
      this.#count(entry, sent + JSON.stringify(entry.body ?? null).length);
      for (const notify of this.#waiting) notify();
    };
    watchResponse(reply.raw, entry, end);
  }

  #count(entry: Entry, bytes: number): void {
    // A reset may have forgotten it.
    if (!this.#sizes.has(entry)) return;
    this.#sizes.set(entry, bytes);
    this.#bytes += bytes;
    while (this.#bytes > mostBytesKept && this.#entries.length > 1) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const oldest = this.#entries.shift();
    if (oldest === undefined) return;
    this.#bytes -= this.#sizes.get(oldest) ?? 0;
    this.#sizes.delete(oldest);
  }
}

/** Copies what is sent. `end` gets the parts of the body. */
function watchResponse(
  raw: ServerResponse,
  entry: Entry,
  end: (parts: readonly Part[]) => void,
): void {
  const parts: Part[] = [];
  let bytes = 0;
  /** `end` may call `write`. */
  let isEnding = false;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
    if (chunk.length === 0 || bytes >= longestBody) return;
    // The bytes of a buffer may change after they are sent.
    parts.push(typeof chunk === "string" ? chunk : new Uint8Array(chunk));
    bytes += chunk.length;
  };
  const { writeHead, write, end: endResponse } = raw;
  raw.writeHead = ((status: number, ...rest: readonly unknown[]) => {
    const returned: unknown = Reflect.apply(writeHead, raw, [status, ...rest]);
    const headers = rest.find((each) => typeof each === "object" && each !== null);
    entry.status = raw.statusCode;
    entry.response_headers = shown({ ...raw.getHeaders(), ...(headers as OutgoingHttpHeaders) });
    return returned;
  }) as typeof raw.writeHead;
  raw.write = ((chunk: unknown, ...rest: readonly unknown[]) => {
    if (!isEnding) keep(chunk);
    return Reflect.apply(write, raw, [chunk, ...rest]) as boolean;
  }) as typeof raw.write;
  raw.end = ((chunk: unknown, ...rest: readonly unknown[]) => {
    keep(chunk);
    isEnding = true;
    const returned: unknown = Reflect.apply(endResponse, raw, [chunk, ...rest]);
    end(parts);
    return returned;
  }) as typeof raw.end;
  raw.once("close", () => end(parts));
}

export const filterNames: readonly (keyof RequestFilter)[] = [
  "operation_id",
  "method",
  "path",
  "status",
  "fault",
  "after",
];

/** A filter with a spelling mistake would find nothing, and `waitFor` would never end. */
function checkFilter(filter: RequestFilter): void {
  const unknown = Object.keys(filter).find((name) => !filterNames.some((each) => each === name));
  if (unknown !== undefined) {
    throw new RangeError(`filter: ${unknown}: unknown field${suggestion(unknown, filterNames)}`);
  }
  const { operation_id: id } = filter;
  const problem = id === undefined ? null : operationProblem(id);
  if (problem !== null) throw new RangeError(`filter: operation_id: ${problem}`);
}

function satisfies(entry: RecordedRequest, filter: RequestFilter): boolean {
  const { after, ...others } = filter;
  if (after !== undefined && entry.number <= after) return false;
  return Object.entries(others).every(
    ([name, value]) => value === undefined || entry[name as keyof typeof others] === value,
  );
}

function queryOf(text: string): RecordedRequest["query"] {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...values].map(([name, each]) => [name, each.length === 1 ? (each[0] ?? "") : each]),
  );
}

const shown = (headers: OutgoingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name.toLowerCase(), secretHeaders.has(name.toLowerCase()) ? hidden : String(value)]];
    }),
  );

/** Adds the content of a response. It is parsed when somebody reads it, because few are read. */
function addResponse(entry: Entry, parts: readonly Part[]): void {
  if (parts.length === 0 || !isText(entry.response_headers)) return;
  Object.defineProperty(entry, "response", {
    enumerable: true,
    get: () => withoutSecrets(contentOf(parts), entry),
  });
}

function isText(headers: Readonly<Record<string, string>>): boolean {
  const { "content-type": mediaType = "", "content-encoding": encoding } = headers;
  return encoding === undefined && /json|text/.test(mediaType);
}

function contentOf(parts: readonly Part[]): unknown {
  const areTexts = parts.every((part) => typeof part === "string");
  const text = areTexts
    ? parts.join("")
    : Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString("utf8");
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.slice(0, longestBody);
  }
}

/** Hides the secrets of the token operations; those of other operations are data of the test. */
function withoutSecrets(value: unknown, { path }: RecordedRequest): unknown {
  if (!path.startsWith("/oauth2/") || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, secretMembers.has(name) ? hidden : each]),
  );
}

/** Notes the members of a form. Of its files, only what describes them. */
export function noteForm(
  { recorded }: FastifyRequest,
  body: unknown,
  files: Readonly<Record<string, UploadedFile>>,
): void {
  if (recorded === null || recorded === undefined) return;
  const described = Object.entries(files).map(([name, file]) => [
    name,
    { name: file.name, media_type: file.mediaType, bytes: file.bytes, sha256: file.sha256 },
  ]);
  recorded.body = { ...(body as object), ...Object.fromEntries(described) };
}

/** Notes the operation of a request. */
export function noteOperation({ recorded }: FastifyRequest, { id }: ServedOperation): void {
  if (recorded !== null && recorded !== undefined) recorded.operation_id = id;
}
