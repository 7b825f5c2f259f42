/** Messages from a worker to the primary process, except those about limits. */
export type WorkerMessage = { readonly kind: "ready"; readonly url: string } | LimitsMessage;

/** Messages from the primary process to a worker. */
export type PrimaryMessage =
  { readonly kind: "stop" } | { readonly kind: "reload" } | LimitsMessage;

/** A message of the server's counters, which define its content. */
interface LimitsMessage {
  readonly kind: "limits";
  readonly content: unknown;
}
