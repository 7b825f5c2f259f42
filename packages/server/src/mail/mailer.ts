/** A mail as it goes out. */
export interface OutgoingMail {
  /** The same in every attempt, so that a receiver can detect duplicates. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly date: Date;
}

export interface Mailer {
  /**
   * Hands a mail over; returns its Message-ID once the receiving server has accepted it. Throws
   * `MailRefusedError`, or another error where a later attempt may help.
   */
  send(mail: OutgoingMail): Promise<string>;
}

/** The mail cannot be delivered, however often it is sent. */
export class MailRefusedError extends Error {
  override readonly name = "MailRefusedError";
}
