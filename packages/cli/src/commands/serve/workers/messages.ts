/** What a worker tells the primary process, apart from its questions about limits. */
export type WorkerMessage = { readonly kind: "ready"; readonly url: string } | LimitsMessage;

/** What the primary process tells a worker. */
export type PrimaryMessage = { readonly kind: "stop" } | LimitsMessage;

/** A message of the server's counters, whose content is theirs. */
interface LimitsMessage {
  readonly kind: "limits";
  readonly content: unknown;
}
