import type { RequestLimit } from "./limits.ts";
import type { Instant } from "./window.ts";

/** Requests that a worker may admit without asking again. */
export interface Lease {
  /** 0: the key's allowance is used up until the window ends. */
  readonly granted: number;
  /** Requests left besides `granted`; those that other workers hold count as unused. */
  readonly left: number;
  readonly endsAt: Instant;
}

/** Unspent requests of a lease, and the window that they belong to. */
export interface Unspent {
  readonly unspent: number;
  readonly endsAt: Instant;
}

/** An address that has failed to authenticate too often. */
export interface Block {
  readonly address: string;
  readonly endsAt: Instant;
}

/** Requests of a worker to the keeper, each with the type of its reply. */
export type WorkerQuestion =
  /** `Joined` */
  | { readonly kind: "join" }
  /** `Lease`; `returned` is what was left of the lease before. */
  | {
      readonly kind: "lease";
      readonly limit: RequestLimit;
      readonly key: string;
      readonly wanted: number;
      readonly returned: Unspent;
    }
  /** Replied to when every worker knows. */
  | { readonly kind: "failure"; readonly address: string }
  /** `Spending` */
  | { readonly kind: "spend"; readonly cid: string; readonly points: number; readonly at: Instant };

export interface Joined {
  readonly blocks: readonly Block[];
}

/** What the keeper asks of a worker. */
export type KeeperQuestion =
  /** `Unspent`: the worker gives back what it has left. */
  | { readonly kind: "recall"; readonly limit: RequestLimit; readonly key: string }
  | { readonly kind: "block"; readonly block: Block };
