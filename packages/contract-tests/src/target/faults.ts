import type { Fetch } from "../conformance/checked-fetch.ts";
import { senderTo } from "./http.ts";

/**
 * Forces the next response of an operation to have a status that cannot be provoked from outside.
 */
export type Faults = (fault: {
  readonly operationId: string;
  readonly status: number;
}) => Promise<void>;

const patienceMilliseconds = 30_000;

/** Faults of a server that runs with `--dev`: `POST <base URL>/_control/faults`. */
export function controlPlaneFaults(baseUrl: string, fetch?: Fetch): Faults {
  const send = senderTo(baseUrl, fetch);
  const url = "/_control/faults";
  return async ({ operationId, status }) => {
    const request = {
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ operation_id: operationId, status, times: 1 }),
    };
    const answer = await send(request, patienceMilliseconds);
    if (answer.status !== 201 && answer.status !== 204) {
      throw new Error(
        `${baseUrl}${url} responded with ${answer.status}: ${answer.text.slice(0, 200)}`,
      );
    }
  };
}
