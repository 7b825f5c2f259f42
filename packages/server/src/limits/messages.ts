import type { RequestLimit } from "./limits.ts";
import type { Instant } from "./window.ts";

/** Requests that a worker may admit before it asks again. */
export interface Lease {
  /** 0: the key's allowance is exhausted until the window ends. */
  readonly granted: number;
  /** Remaining requests without `granted`. Requests that other workers hold count as unused. */
  readonly left: number;
  readonly endsAt: Instant;
}

/** Unspent requests of a lease, and the window that they belong to. */
export interface Unspent {
  readonly unspent: number;
  readonly endsAt: Instant;
}

/** An address with too many failed authentications. */
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
      readonly requested: number;
      readonly returned: Unspent;
    }
  /** The reply comes when every worker knows of it. */
  | { readonly kind: "failure"; readonly address: string }
  /** `Spending` */
  | { readonly kind: "spend"; readonly cid: string; readonly points: number; readonly at: Instant };

export interface Joined {
  readonly blocks: readonly Block[];
}

/** Requests of the keeper to a worker. */
export type KeeperQuestion =
  /** `Unspent`: the worker returns its unused requests. */
  | { readonly kind: "recall"; readonly limit: RequestLimit; readonly key: string }
  | { readonly kind: "block"; readonly block: Block };
