/**
 * The only file that uses openapi-fetch. It turns a request into a URL and a `Request` and sends it. Other
 * files handle tokens, retries, responses and types.
 */
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from "openapi-fetch";

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
  readonly signal: AbortSignal;
}

/** Resolves to the response when its headers have arrived; rejects with the error of `fetch`. */
export type Transport = (request: TransportRequest) => Promise<Response>;

/** Sends requests to the API at `baseUrl`. */
export function createTransport(baseUrl: string, fetch: Fetch): Transport {
  const querySerializer = createQuerySerializer();
  return async ({ method, path, pathParameters, query, headers, body, signal }) => {
    const params = { path: pathParameters, query };
    const serializers = { querySerializer, pathSerializer: defaultPathSerializer };
    const url = createFinalURL(path, { baseUrl, params, ...serializers });
    const request = new Request(url, {
      method,
      headers,
      signal,
      // Following a redirect would send the credentials elsewhere; the caller reports it instead.
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    });
    return fetch(request);
  };
}
