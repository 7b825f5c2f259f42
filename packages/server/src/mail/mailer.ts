/** A mail to send. */
export interface OutgoingMail {
  /** The same in every attempt, so that a receiver can recognise duplicates. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly date: Date;
}

export interface Mailer {
  /**
   * Sends a mail. Returns its Message-ID after the receiving server has accepted it. Throws
   * `MailRefusedError`, or another error if a later attempt may succeed.
   */
  send(mail: OutgoingMail): Promise<string>;
}

/** The mail cannot be delivered in any later attempt. */
export class MailRefusedError extends Error {
  override readonly name = "MailRefusedError";
}
