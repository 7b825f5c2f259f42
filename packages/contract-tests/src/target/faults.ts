import type { Fetch } from "../conformance/checked-fetch.ts";

/**
 * Forces the next response of an operation to have a status that cannot be provoked from outside.
 */
export type Faults = (fault: {
  readonly operationId: string;
  readonly status: number;
}) => Promise<void>;

/** Faults of a server that runs with `--dev`: `POST <base URL>/_control/faults`. */
export function controlPlaneFaults(baseUrl: string, fetch: Fetch = globalThis.fetch): Faults {
  const url = `${baseUrl.replace(/\/+$/, "")}/_control/faults`;
  return async ({ operationId, status }) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ operation_id: operationId, status, times: 1 }),
    });
    if (response.status !== 204) {
      throw new Error(
        `${url} answered ${response.status}: ${(await response.text()).slice(0, 200)}`,
      );
    }
  };
}
