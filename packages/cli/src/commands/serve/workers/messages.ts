import type { ProcessMetrics } from "@security-platform/server/internal";

/** Messages from a worker to the primary process, except those about limits. */
export type WorkerMessage =
  | { readonly kind: "ready"; readonly url: string }
  /** The answer to a request for metrics, or the last counts before an end; null if they cannot be read. */
  | { readonly kind: "metrics"; readonly values: ProcessMetrics | null }
  | LimitsMessage;

/** Messages from the primary process to a worker. */
export type PrimaryMessage =
  | { readonly kind: "stop" }
  | { readonly kind: "reload" }
  | { readonly kind: "metrics" }
  | LimitsMessage;

/** A message of the server's counters, which define its content. */
interface LimitsMessage {
  readonly kind: "limits";
  readonly content: unknown;
}
