/** A connection to another process. Messages must survive JSON, and arrive in order. */
export interface Channel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

type Message =
  | { readonly question: number; readonly content: unknown }
  | { readonly reply: number; readonly content: unknown };

/**
 * Questions and replies in both directions of a channel. Replies use callbacks instead of promises, so that a
 * later message finds the effects of an earlier one.
 */
export class Port<Outgoing, Incoming> {
  readonly #channel: Channel;
  readonly #waiting = new Map<number, (content: unknown) => void>();
  #lastCall = 0;
  #closed = false;

  /**
   * `answer` handles questions of the other side. It must call `reply` exactly once, immediately or later.
   */
  constructor(
    channel: Channel,
    answer: (question: Incoming, reply: (content: object) => void) => void,
  ) {
    this.#channel = channel;
    channel.onMessage((received) => {
      const message = received as Message;
      if ("question" in message) {
        const { question } = message;
        answer(message.content as Incoming, (content) => this.#send({ reply: question, content }));
        return;
      }
      const then = this.#waiting.get(message.reply);
      this.#waiting.delete(message.reply);
      then?.(message.content);
    });
    channel.onClose(() => {
      this.#closed = true;
      for (const then of this.#waiting.values()) then(null);
      this.#waiting.clear();
    });
  }

  /** Calls `then` with the reply, or with null if the other process is gone. */
  ask<Reply>(question: Outgoing, then: (reply: Reply | null) => void): void {
    if (this.#closed) {
      then(null);
      return;
    }
    this.#lastCall += 1;
    this.#waiting.set(this.#lastCall, then as (content: unknown) => void);
    this.#send({ question: this.#lastCall, content: question });
  }

  #send(message: Message): void {
    if (!this.#closed) this.#channel.send(message);
  }
}
