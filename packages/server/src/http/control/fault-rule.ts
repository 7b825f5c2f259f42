/** Conditions on a request, all of which must hold. */
export interface FaultMatch {
  /** Parameters of the query and their values. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Parameters of the path and their values. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Headers and their values. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A part of the JSON body: members of objects that must be equal, and elements of lists that must occur. */
  readonly body?: unknown;
}

/** Which requests go wrong, and how. */
export interface FaultRule {
  /** Default: every operation. */
  readonly operation_id?: string | undefined;
  readonly match?: FaultMatch | undefined;
  /** Number of requests. Default: 1. `always`: until it is removed. */
  readonly times?: number | "always" | undefined;
  /** Share of the matching requests, from 0 to 1. Default: 1. */
  readonly probability?: number | undefined;
  /** The same seed selects the same requests. Default: 1. */
  readonly seed?: number | undefined;
  /** Responds with an error of this status, and does not run the operation. */
  readonly status?: number | undefined;
  /** Milliseconds before the request is handled, in real time. */
  readonly delay_ms?: number | undefined;
  /** Closes the connection: `before` the operation runs, or `after` it, without a response. */
  readonly drop?: "before" | "after" | undefined;
  /** `truncated`: the connection closes in the middle of the body. `slow`: the body arrives in pieces. */
  readonly body?: "truncated" | "slow" | undefined;
  /** Milliseconds that a slow body takes, in real time. Default: 1000. */
  readonly slow_ms?: number | undefined;
  /** Replaces the media type of the response. */
  readonly content_type?: string | undefined;
}

/** A fault that is set. */
export interface SetFault extends FaultRule {
  readonly id: number;
  /** Number of requests that it has hit. */
  readonly hits: number;
}

/** The faults of a platform. */
export interface FaultRules {
  /** Adds a fault after those that are set. Throws `RangeError` for an invalid one. */
  add(rule: FaultRule): SetFault;
  list(): readonly SetFault[];
  /** Returns false for an unknown id. */
  remove(id: number): boolean;
  /** Removes all faults, and ends the delays of requests. */
  clear(): void;
}
