import type { RequestLimit } from "./limits.ts";

/** A connection to another process. Messages must survive JSON. */
export interface Channel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

/** What a worker asks the keeper to count. */
export type Count =
  | { readonly kind: "request"; readonly limit: RequestLimit; readonly key: string }
  | { readonly kind: "failure"; readonly address: string }
  | { readonly kind: "points"; readonly cid: string; readonly points: number };

export interface CountRequest {
  /** Identifies the request on its channel. */
  readonly number: number;
  readonly count: Count;
}

export interface CountReply {
  readonly number: number;
  readonly result: unknown;
}
