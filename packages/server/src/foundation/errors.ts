/**
 * The registry of all errors that a caller can receive. Handlers throw these errors, and
 * http/responses/error-handler.ts turns them into an Envelope.
 */

/** One entry of the Envelope's `errors`. */
export interface ErrorEntry {
  readonly code: number;
  readonly message: string;
  /** The id of the record concerned, if there is one. */
  readonly id?: string;
}

/** One problem of a request and its place: `query.limit`, `body.indicators[3].type`. */
export interface Problem {
  readonly at: string;
  readonly message: string;
  readonly id?: string;
}

/** The document's maximum number of entries, without the entry that counts the rest. */
const mostEntries = 2_000;
/** Maximum lengths in the document. Only names and values from the caller can be longer. */
const longestId = 1_024;
const longestMessage = 4_096;

const clipped = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

function limited(
  entries: readonly Omit<ErrorEntry, "code">[],
): readonly Omit<ErrorEntry, "code">[] {
  const listed = entries.slice(0, mostEntries).map(({ message, id }) => ({
    ...(id === undefined ? {} : { id: clipped(id, longestId) }),
    message: clipped(message, longestMessage),
  }));
  const rest = entries.length - listed.length;
  return rest > 0 ? [...listed, { message: `and ${rest} more errors` }] : listed;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly entries: readonly ErrorEntry[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON texts of the records that were found. Only a 404 has them. */
  readonly resources: readonly string[] | undefined;
  /** Its name in the catalogue, such as `invalid-request`. Undefined for an error outside of it. */
  kind: string | undefined;

  constructor(
    status: number,
    entries: readonly Omit<ErrorEntry, "code">[],
    extra: { headers?: Readonly<Record<string, string>>; resources?: readonly string[] } = {},
  ) {
    // A refusal is no fault of the server. Its stack trace would cost more than the rest of the response.
    const { stackTraceLimit } = Error;
    if (status < 500 || status === 507) Error.stackTraceLimit = 0;
    super(entries[0]?.message ?? String(status));
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.entries = limited(entries).map((entry) => ({ code: status, ...entry }));
    this.headers = extra.headers ?? {};
    this.resources = extra.resources;
    this.kind = undefined;
  }

  /** The same error after an entry that says what was done before it. */
  after(message: string): ApiError {
    const { status, entries, headers, resources, kind } = this;
    const error = new ApiError(status, [{ message }, ...entries], {
      headers,
      ...(resources === undefined ? {} : { resources }),
    });
    error.kind = kind;
    return error;
  }
}

const problemEntry = ({ at, message, id }: Problem): Omit<ErrorEntry, "code"> => ({
  message: at === "" ? message : `${at}: ${message}`,
  ...(id === undefined ? {} : { id }),
});

/** Maximum number of problems in a response. The other problems are only counted. */
const problemLimit = 100;

/** Number of problems after which a search can stop. The response then says that there are more. */
export const mostProblems = problemLimit + 1;

const problemEntries = (problems: readonly Problem[]): Omit<ErrorEntry, "code">[] => {
  const listed = problems.slice(0, problemLimit).map(problemEntry);
  const rest = problems.length - listed.length;
  return rest > 0 ? [...listed, { message: `and ${rest} more problems` }] : listed;
};

/** RFC 6750 §3: the challenge of 401 and `insufficient_scope` responses. */
const challenge = (error?: string, description?: string, scope?: string): string =>
  [
    'Bearer realm="security-platform"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description}"`]),
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
  ].join(", ");

/** The anchor in the guide to errors. */
const kindOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A catalogue whose errors know their names in it. */
function named<Catalogue extends Readonly<Record<string, (...values: never[]) => ApiError>>>(
  catalogue: Catalogue,
): Catalogue {
  const entries = Object.entries(catalogue).map(([name, create]) => {
    const kind = kindOf(name);
    const createNamed = (...values: never[]): ApiError => {
      const error = create(...values);
      error.kind = kind;
      return error;
    };
    return [name, createNamed] as const;
  });
  return Object.fromEntries(entries) as Catalogue;
}

const catalogue = {
  /** The request does not conform to the document. */
  invalidRequest: (problems: readonly Problem[]): ApiError =>
    new ApiError(400, problemEntries(problems)),

  namelessPart: (): ApiError =>
    new ApiError(400, [
      { message: 'body: a part has no name; expected Content-Disposition: form-data; name="…"' },
    ]),

  malformedJson: (reason: string, offset: number): ApiError =>
    new ApiError(400, [{ message: `body: not valid JSON at offset ${offset}: ${reason}` }]),

  /** An invalid filter or sort expression. */
  invalidFilter: (message: string): ApiError => new ApiError(400, [{ message }]),

  /** `parameter`: the one that takes the cursor. */
  invalidCursor: (reason: string, parameter: "after" | "offset" = "after"): ApiError =>
    new ApiError(400, [{ message: `query.${parameter}: ${reason}` }]),

  /** The warnings prevented the write; `ignore_warnings` overrides them. */
  warnings: (problems: readonly Problem[]): ApiError =>
    new ApiError(400, [
      ...problemEntries(problems),
      { message: "nothing was written; send ignore_warnings=true to write despite the warnings" },
    ]),

  missingToken: (hint: string): ApiError =>
    new ApiError(401, [{ message: `access denied: ${hint}` }], {
      headers: { "www-authenticate": challenge() },
    }),

  invalidToken: (reason: string): ApiError =>
    new ApiError(401, [{ message: `access denied, invalid bearer token: ${reason}` }], {
      headers: { "www-authenticate": challenge("invalid_token", reason) },
    }),

  invalidClient: (): ApiError =>
    new ApiError(401, [{ message: "access denied: unknown client id or wrong client secret" }], {
      headers: { "www-authenticate": 'Basic realm="security-platform"' },
    }),

  invalidClientUser: (): ApiError =>
    new ApiError(401, [{ message: "access denied: the client's user is inactive or deleted" }], {
      headers: { "www-authenticate": 'Basic realm="security-platform"' },
    }),

  insufficientScope: (scope: string): ApiError =>
    new ApiError(
      403,
      [
        {
          message: `access denied, authorization failed: insufficient_scope, the token lacks ${scope}`,
        },
      ],
      { headers: { "www-authenticate": challenge("insufficient_scope", undefined, scope) } },
    ),

  /** The client has the scope, but the roles of its acting user do not allow it. */
  missingPermission: (permission: string, uid: string, cid: string): ApiError =>
    new ApiError(
      403,
      [
        {
          message: `access denied, authorization failed: no role of ${uid} in tenant ${cid} allows ${permission}`,
        },
      ],
      { headers: { "www-authenticate": challenge("insufficient_scope") } },
    ),

  forbidden: (message: string, id?: string): ApiError =>
    new ApiError(403, [{ message, ...(id === undefined ? {} : { id }) }]),

  /** Records or tenants that the caller may not change. */
  readOnly: (problems: readonly Problem[]): ApiError => new ApiError(403, problemEntries(problems)),

  /** `records`: JSON texts of the requested records that exist. */
  recordsNotFound: (
    noun: string,
    ids: readonly string[],
    records: readonly string[] = [],
  ): ApiError =>
    new ApiError(
      404,
      ids.map((id) => ({ id, message: `${noun} ${id} not found` })),
      { resources: records },
    ),

  /** Records of several kinds. */
  severalNotFound: (parts: readonly ApiError[]): ApiError =>
    new ApiError(
      404,
      parts.flatMap(({ entries }) => entries),
    ),

  unknownPath: (path: string, nearest: string | undefined): ApiError =>
    new ApiError(404, [
      {
        message:
          `no operation at ${path}` + (nearest === undefined ? "" : `; the nearest is ${nearest}`),
      },
    ]),

  /** Only servers without the documentation find no route there. */
  docsNotServed: (path: string): ApiError =>
    new ApiError(404, [
      {
        message:
          `nothing at ${path}: this server does not serve the documentation; ` +
          "secplat serve does so without --no-docs",
      },
    ]),

  methodNotAllowed: (method: string, allowed: readonly string[]): ApiError =>
    new ApiError(405, [{ message: `${method} is not allowed here; use ${allowed.join(" or ")}` }], {
      headers: { allow: allowed.join(", ") },
    }),

  notAcceptable: (accept: string, offered: readonly string[]): ApiError =>
    new ApiError(406, [
      {
        message: `cannot respond with ${accept}; this operation responds with ${offered.join(" or ")}`,
      },
    ]),

  timedOut: (): ApiError =>
    new ApiError(408, [{ message: "the complete request did not arrive in time" }]),

  /** A pre-signed URL that has expired or was changed. */
  invalidFileUrl: (reason: "invalid" | "expired"): ApiError =>
    new ApiError(403, [
      {
        message:
          reason === "expired"
            ? "this URL has expired; request a new one"
            : "this is not a valid URL of a file; use it unchanged",
      },
    ]),

  /** The record has no file, or no file yet. `message` says which. */
  fileMissing: (message: string, id: string): ApiError => new ApiError(404, [{ id, message }]),

  fileGone: (): ApiError => new ApiError(404, [{ message: "the file no longer exists" }]),

  /** `message` says what to do. */
  conflict: (problems: readonly Problem[]): ApiError => new ApiError(409, problemEntries(problems)),

  /** The first request with the key is still in progress. */
  requestInProgress: (seconds: number): ApiError =>
    new ApiError(
      409,
      [
        {
          message: `header.Idempotency-Key: the first request with this key is still in progress; send it again in ${seconds} s`,
        },
      ],
      { headers: { "retry-after": String(seconds) } },
    ),

  answerLost: (): ApiError =>
    new ApiError(409, [
      {
        message:
          "header.Idempotency-Key: the first request with this key was carried out, but its response is lost; " +
          "read the records, and send further changes with a new key",
      },
    ]),

  keyReused: (): ApiError =>
    new ApiError(422, [
      {
        message:
          "header.Idempotency-Key: another request was sent with this key in the last 24 hours; " +
          "send each change with a key of its own",
      },
    ]),

  bodyTooLarge: (limit: number): ApiError =>
    new ApiError(413, [{ message: `the body is larger than the limit of ${limit} bytes` }]),

  tooManyValues: (limit: number): ApiError =>
    new ApiError(413, [{ message: `the body has more than the limit of ${limit} JSON values` }]),

  tooManyNames: (limit: number): ApiError =>
    new ApiError(413, [
      { message: `the body has more than the limit of ${limit} different names of JSON members` },
    ]),

  textTooLong: (limit: number): ApiError =>
    new ApiError(413, [
      { message: `the body has a text, a number or white space of more than ${limit} bytes` },
    ]),

  tooManyFields: (limit: number): ApiError =>
    new ApiError(413, [{ message: `the form has more than the limit of ${limit} fields` }]),

  /** An unreadable body for an operation that takes none and documents neither 413 nor 415. */
  unexpectedBody: (): ApiError =>
    new ApiError(400, [{ message: "body: expected none, because this operation takes no body" }]),

  unsupportedMediaType: (contentType: string | undefined, offered: readonly string[]): ApiError =>
    new ApiError(415, [
      {
        message: `${contentType === undefined ? "a body without Content-Type" : `Content-Type ${contentType}`} is not supported; send ${offered.join(" or ")}`,
      },
    ]),

  /** A compressed body. */
  unsupportedEncoding: (encoding: string): ApiError =>
    new ApiError(415, [
      { message: `Content-Encoding ${encoding} is not supported; send the body uncompressed` },
    ]),

  /** The requested range is outside the file (RFC 9110 §15.5.17). */
  rangeNotSatisfiable: (bytes: number): ApiError =>
    new ApiError(416, [{ message: `the file has ${bytes} bytes, none of them in this range` }], {
      headers: { "content-range": `bytes */${bytes}` },
    }),

  /** `seconds` until the window ends; `until` is that moment in Unix seconds. */
  rateLimited: (what: string, seconds: number, until: number): ApiError =>
    new ApiError(429, [{ message: `API rate limit exceeded: ${what}; retry in ${seconds} s` }], {
      headers: { "retry-after": String(seconds), "x-ratelimit-retryafter": String(until) },
    }),

  headersTooLarge: (limit: number): ApiError =>
    new ApiError(431, [
      { message: `the request line and headers are larger than the limit of ${limit} bytes` },
    ]),

  internal: (traceId: string): ApiError =>
    new ApiError(500, [
      { message: `internal error; the log contains it under trace id ${traceId}` },
    ]),

  /** 503: the same request may succeed after `seconds` (RFC 9110 §15.6.4). */
  unavailable: (message: string, seconds: number): ApiError =>
    new ApiError(503, [{ message }], { headers: { "retry-after": String(seconds) } }),

  tooManyBodies: (seconds: number): ApiError =>
    errors.unavailable(
      `the server is receiving too many bodies at once; retry in ${seconds} s`,
      seconds,
    ),

  tooManyResponses: (seconds: number): ApiError =>
    errors.unavailable(
      `responses that their callers have not read use all memory for responses; read them, or retry in ${seconds} s`,
      seconds,
    ),

  tooManyRequests: (seconds: number): ApiError =>
    errors.unavailable(
      `too many requests wait for their turn; nothing was changed, retry in ${seconds} s`,
      seconds,
    ),

  overloaded: (seconds: number): ApiError =>
    errors.unavailable(`the server is overloaded; retry in ${seconds} s`, seconds),

  databaseBusy: (): ApiError =>
    errors.unavailable(
      "another process is writing to the database, such as an import; nothing was stored, retry in 10 s",
      10,
    ),

  databaseSlow: (): ApiError =>
    errors.unavailable("the database took too long; nothing was stored, retry in 10 s", 10),

  databaseAway: (): ApiError =>
    errors.unavailable("the database does not respond; retry in 5 s", 5),

  databaseReadOnly: (): ApiError =>
    errors.unavailable("the database accepts no writes at the moment; retry in 5 s", 5),

  docsUnreadable: (message: string): ApiError => new ApiError(503, [{ message }]),

  filesUnavailable: (): ApiError =>
    errors.unavailable("the object store does not respond; retry in 10 s", 10),

  tooManyOpenFiles: (): ApiError =>
    errors.unavailable(
      "the server has too many open files, connections or threads; retry in 5 s",
      5,
    ),

  countingStorage: (seconds: number): ApiError =>
    errors.unavailable(
      `the stored records and files are being counted; nothing was stored, retry in ${seconds} s`,
      seconds,
    ),

  /** `whose`: "the tenant's" or "the server's". */
  storageFull: (
    whose: string,
    {
      used,
      limit,
      needed,
    }: { readonly used: number; readonly limit: number; readonly needed: number },
  ): ApiError =>
    new ApiError(507, [
      {
        message:
          `${whose} storage is full: ${used} of ${limit} bytes are used, and this request needs ${needed}; ` +
          "nothing was stored, delete records or files first",
      },
    ]),

  diskFull: (): ApiError =>
    errors.unavailable(
      "the server's disk is full; nothing was stored, and no write can succeed until there is space",
      60,
    ),
};

export const errors: typeof catalogue = named(catalogue);
