/**
 * The only file that uses openapi-fetch. It turns a request into a URL and a `Request`, sends it and reads
 * the response. Other files handle tokens, errors and types.
 */
import createFetchClient from "openapi-fetch";

export type Fetch = (request: Request) => Promise<Response>;
export type RequestBody = NonNullable<RequestInit["body"]>;
export type Scalar = string | number | boolean;

export interface TransportRequest {
  readonly method: string;
  /** With parameters in braces, as in the document. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, Scalar>>;
  /** A list is sent by repeating its name. */
  readonly query: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | undefined;
  /** The body of a success is a file, not JSON. */
  readonly file: boolean;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body: text if it is not JSON, a Blob for a file, undefined if there is none. */
  readonly payload: unknown;
}

export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Sends requests to the API at `baseUrl`. A transport rejects with the error of `fetch`. */
export function createTransport(baseUrl: string, fetch: Fetch): Transport {
  const client = createFetchClient<UntypedPaths>({ baseUrl, fetch });
  return async ({ method, path, pathParameters, query, headers, body, file, signal }) => {
    const { data, error, response } = await client.request(method.toLowerCase() as "get", path, {
      params: { path: pathParameters, query },
      headers,
      signal,
      // Following a redirect would send the credentials elsewhere; the caller reports it instead.
      redirect: "manual",
      parseAs: file ? "blob" : "text",
      ...(body === undefined ? {} : { body, bodySerializer: (encoded: unknown) => encoded }),
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    });
    const payload = response.ok ? parse(data) : error;
    return { status: response.status, headers: response.headers, payload };
  };
}

/** The public API has the types of the document, so this call needs none. */
type UntypedPaths = Record<
  string,
  Record<
    "get",
    {
      parameters: { path?: Record<string, unknown>; query?: Record<string, unknown> };
      requestBody?: { content: { "*/*": unknown } };
      responses: { 200: { content: { "*/*": unknown } }; 500: { content: { "*/*": unknown } } };
    }
  >
>;

function parse(body: unknown): unknown {
  if (typeof body !== "string") return body;
  if (body === "") return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
