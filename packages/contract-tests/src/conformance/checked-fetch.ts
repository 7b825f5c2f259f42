import { conformanceRecorder, type ConformanceRecorder } from "./recorder.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that checks every response. Without a recorder, the call throws if a response violates
 * the document.
 */
export function checkedFetch(fetch: Fetch, recorder?: ConformanceRecorder): Fetch {
  return async (input, init) => {
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    const url = input instanceof Request ? input.url : String(input);
    const response = await fetch(input, init);
    const body = method === "HEAD" ? "" : await response.clone().text();
    const own = recorder ?? conformanceRecorder();
    own.observe({
      method,
      url,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
    });
    if (recorder === undefined) own.assertClean();
    return response;
  };
}
