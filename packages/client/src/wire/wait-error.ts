import { ClientError } from "./errors.ts";

/** The work that a call waits for failed, or did not end in time. */
export class WaitError<Item = unknown> extends ClientError {
  override readonly name = "WaitError";
  /** The record as it was read last. */
  readonly record: Item;
  /** The state of the work in `record`, such as `FAILED`. */
  readonly state: string;
  /** Whether the work goes on, so that another wait can succeed. */
  readonly timedOut: boolean;

  constructor(message: string, record: Item, state: string, timedOut: boolean) {
    super(message);
    this.record = record;
    this.state = state;
    this.timedOut = timedOut;
  }
}
