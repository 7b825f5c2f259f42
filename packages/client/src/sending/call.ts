import { failedOperation, type Failure } from "../wire/errors.ts";
import type { RequestEvent } from "./hooks.ts";
import type { Outgoing, SharedParts } from "./outgoing.ts";
import { idempotencyKeyOf } from "./retries.ts";

/** A call, and what is known of its requests so far. */
export interface Call extends Outgoing {
  readonly parts: SharedParts;
  /** All requests have the same key, so the server acts once. */
  readonly idempotencyKey: string | undefined;
  /** Whether the server may have carried out one of the requests. */
  mayHaveActed: boolean;
  /** The number of requests that followed a refusal or an error. */
  retried: number;
  /** Counts a request that is sent now. */
  start(): void;
  /** Milliseconds since the call was started, or since its last request was. */
  elapsed(ofRequest?: boolean): number;
  /** The last request, for hooks. */
  event(): RequestEvent;
  /** The call, for the error if it fails now. */
  failed(): Failure;
}

/** The number of calls in this process. */
let calls = 0;

export function newCall(parts: SharedParts, outgoing: Outgoing): Call {
  const { clock, baseUrl } = parts;
  const { descriptor } = outgoing;
  const number = (calls += 1);
  const began = clock.now();
  let startedAt = began;
  let attempt = 0;
  const call: Call = {
    ...outgoing,
    parts,
    idempotencyKey: idempotencyKeyOf(parts, descriptor, outgoing.options),
    mayHaveActed: false,
    retried: 0,
    start: () => {
      startedAt = clock.now();
      attempt += 1;
    },
    elapsed: (ofRequest) => clock.now().getTime() - (ofRequest ? startedAt : began).getTime(),
    event: () => {
      const { id: operationId, method, path } = descriptor;
      return { call: number, operationId, method, baseUrl, path, attempt, startedAt };
    },
    failed: () => failedOperation(descriptor, attempt, call.mayHaveActed),
  };
  return call;
}
